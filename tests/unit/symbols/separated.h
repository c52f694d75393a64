/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * separated.h: a stripped copy of this test's program in a directory of its own, and its separate
 * debug file.
 */
#ifndef TESTS_UNIT_SYMBOLS_SEPARATED_H
#define TESTS_UNIT_SYMBOLS_SEPARATED_H

#include "elf/elf_file.h"

#define SEPARATED_PATH 256
#define SEPARATED_ROOM 128 /* of shorter paths */

struct separated {
	char dir[64];		      /* removed by separated__remove() */
	char program[SEPARATED_ROOM]; /* stripped, with .gnu_debuglink */
	char debug[SEPARATED_ROOM];   /* DIR/program.debug */
	char by_id[SEPARATED_PATH];   /* DIR/debug/.build-id/ab/cdef.debug: there is no file yet */
	char debug_dir[SEPARATED_ROOM]; /* DIR/debug, exists with the directories of by_id */
};

void separated__make(struct separated *separated);
void separated__remove(struct separated *separated);

struct elf_file *separated__open(const char *path);

/* Runs a command of binutils or the shell; it has to succeed. */
void separated__run(const char *const *argv);

/* Makes the directories of a path in DIR, without its last part. */
void separated__make_dirs(const char *path);

/* Writes bytes to a new file. */
void separated__write(const char *path, const void *bytes, size_t count);

#endif /* TESTS_UNIT_SYMBOLS_SEPARATED_H */
