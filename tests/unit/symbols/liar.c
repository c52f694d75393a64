// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* liar.c: a namer that answers anything. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "liar.h"
#include "symbols/namer/namer_child.h"
#include "symbols/namer/namer_message.h"
#include "symbols/namer/namer_sandbox.h"
#include "unit/suite.h"

#define MEMORY_BYTES 4096

static int make_memory(bool is_sealed)
{
	int fd = memfd_create("lie", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, MEMORY_BYTES) ||
	    (is_sealed && fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW)))
		exit(EXIT_FAILURE);
	return fd;
}

static void answer(enum lie lie, struct namer_message *message)
{
	int fd = make_memory(lie != LIE_UNSEALED);

	message->kind = NAMER_DONE;
	message->err = 0;
	memset(&message->build_id, 0xff, sizeof(message->build_id));
	if (lie == LIE_SERIAL)
		message->serial++;
	if (lie == LIE_KIND)
		message->kind = NAMER_HELLO;
	if (lie == LIE_ERROR)
		message->err = 5;
	if (lie == LIE_ENDLESS_DEBUG)
		message->kind = NAMER_WANT_DEBUG;
	namer_message__send(NAMER_SOCKET, message, &fd, lie != LIE_NO_MEMORY_FILE);
	close(fd);
}

int liar__main(int argc, char **argv)
{
	const enum lie lie = argc > 1 ? (enum lie)atoi(argv[1]) : LIE_NO_HELLO;
	struct namer_message message = { .kind = NAMER_HELLO };
	int fds[NAMER_FDS_MAX];
	uint32_t count;

	if (lie == LIE_DIES_OF_LINES)
		return argc > 3 ? EXIT_FAILURE : namer_child__run(getppid(), BUDGET_NAMER_BYTES);
	if (lie == LIE_NO_HELLO)
		return EXIT_SUCCESS;
	if (lie == LIE_OTHER_PROGRAM)
		return write(NAMER_SOCKET, "hello", 5) != 5;
	namer_message__send(NAMER_SOCKET, &message, NULL, 0);
	while (!namer_message__receive(NAMER_SOCKET, &message, fds, &count)) {
		while (count)
			close(fds[--count]);
		if (lie == LIE_DIES)
			return EXIT_FAILURE;
		if (lie == LIE_SLEEPS)
			pause();
		answer(lie, &message);
	}
	return EXIT_SUCCESS;
}

static char path[] = "/tmp/peat-liar-XXXXXX";

const char *liar__script(enum lie lie)
{
	char self[PATH_MAX] = "";
	int fd;

	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	dprintf(fd, "#!/bin/bash\nexec -a " LIAR " '%s' %d \"$@\"\n", self, (int)lie);
	ck_assert_int_eq(fchmod(fd, 0755), 0);
	close(fd);
	return path;
}

void liar__remove(void)
{
	unlink(path);
}
