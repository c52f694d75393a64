// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* own_program.c: finds the file of the running test. */
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "own_program.h"

const char *own_program__path(void)
{
	static char path[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ck_assert_int_gt(bytes, 0);
	path[bytes] = '\0';
	return path;
}

const char *own_program__source(const char *kind, const char *function)
{
	static char source[PATH_MAX + 64];

	snprintf(source, sizeof(source), "%s:%s:%s", kind, own_program__path(), function);
	return source;
}
