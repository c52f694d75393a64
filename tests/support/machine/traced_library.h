/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traced_library.h: a small shared library, which tests copy, and processes that call it.  It needs
 * no other library, so it can be loaded in an empty root.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_TRACED_LIBRARY_H
#define TESTS_SUPPORT_MACHINE_TRACED_LIBRARY_H

#include <sys/types.h>

#define TRACED_LIBRARY	"libpeat_traced.so.1"
#define TRACED_FUNCTION "traced_library_call"

/* Writes a new file with the library in a directory, which is made. */
void traced_library__write(const char *directory);

/* A process that has loaded the library, as the last call of traced_library__write() made it. */
struct library_user {
	pid_t pid;
	int order, answer; /* pipes */
};

/* Its root is the directory. */
void library_user__start(struct library_user *user, const char *root);

/* Calls the function so often. */
void library_user__call(const struct library_user *user, unsigned calls);

/* Changes the name of its thread. */
void library_user__rename(const struct library_user *user, const char *comm);

void library_user__stop(struct library_user *user);

#endif /* TESTS_SUPPORT_MACHINE_TRACED_LIBRARY_H */
