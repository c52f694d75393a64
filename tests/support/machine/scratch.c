// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* scratch.c: a directory with files of one test. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

static char dir[64];

void scratch__make(void)
{
	char name[] = "/tmp/peat-scratch-XXXXXX";
	char *real;

	ck_assert_ptr_nonnull(mkdtemp(name));
	real = realpath(name, NULL);
	ck_assert_ptr_nonnull(real);
	ck_assert_uint_lt(strlen(real), sizeof(dir));
	strcpy(dir, real);
	free(real);
}

void scratch__remove(void)
{
	struct command rm;

	command__run(&rm, ALL_CAPS, ARGV("rm", "-rf", dir));
	ck_assert_msg(rm.status == 0, "%s", rm.err_text);
	command__free(&rm);
}

const char *scratch__dir(void)
{
	return dir;
}

const char *scratch__path(const char *name)
{
	static char paths[4][512];
	static unsigned last;
	char *path = paths[++last % 4];

	ck_assert_int_lt(snprintf(path, sizeof(paths[0]), "%s/%s", dir, name), sizeof(paths[0]));
	return path;
}

int scratch__file(const char *name, const char *text)
{
	int fd = open(scratch__path(name), O_RDWR | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

const char *scratch__replace(const char *name, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	ck_assert_int_ge(vasprintf(&text, format, args), 0);
	va_end(args);
	unlink(scratch__path(name));
	close(scratch__file(name, text));
	free(text);
	return scratch__path(name);
}
