/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_NEW_FILE_H
#define CLI_NEW_FILE_H

#include <stddef.h>
#include <stdint.h>

/* new_file.h: the files that events are written to: all of them are created here. */

/* Without -o. */
#define NEW_FILE_DEFAULT "perf.data"

/*
 * Creates a file, or empties it: see peat_file__create().  `made_from`: the recording that it is
 * made from, or NULL.  Returns the fd or -errno, which has been printed.
 */
int new_file__create(const char *path, const char *made_from);

/*
 * Opens PATH, or with a number PATH.NUMBER.  Like perf, renames an existing recording to FILE.old.
 * Sets `name`, to be freed.  Returns the fd or -errno, which has been printed.
 */
int new_file__open(const char *path, uint32_t number, char **name);

/*
 * Creates PATH.NUMBER with the next number, from *number on, that no file has, so that no dump
 * replaces another.  Sets *number to the one after it, and `name`, to be freed.  Returns the fd or
 * -errno, which has been printed.
 */
int new_file__open_dump(const char *path, uint64_t *number, char **name);

#endif /* CLI_NEW_FILE_H */
