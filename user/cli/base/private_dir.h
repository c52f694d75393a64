/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_PRIVATE_DIR_H
#define CLI_PRIVATE_DIR_H

#include <limits.h>

/*
 * private_dir.h: a temporary directory for the files of programs that peat runs, in $TMPDIR or
 * /tmp. No other user can enter it.  Its path leads through a file descriptor that these programs
 * inherit, so no other user can put another directory in its place.
 */
struct private_dir {
	int parent, fd;
	char name[32]; /* in the parent */
};

/* 0 or EXIT_FAILED; the error has been printed. */
int private_dir__make(struct private_dir *directory);

/* Removes the directory with its files. */
void private_dir__remove(struct private_dir *directory);

/* The path of a file in the directory, for this process and those that it runs. */
void private_dir__path(const struct private_dir *directory, const char *name,
		       char path[static PATH_MAX]);

/* Creates a file, or opens it for reading.  The fd, or -1 with errno. */
int private_dir__create(const struct private_dir *directory, const char *name);
int private_dir__open(const struct private_dir *directory, const char *name);

#endif /* CLI_PRIVATE_DIR_H */
