/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_RECORD_FILE_H
#define CLI_RECORD_FILE_H

#include <stddef.h>
#include <stdint.h>

/* record_file.h: the files that peat record writes. */

/* Without -o. */
#define RECORD_FILE_DEFAULT "perf.data"

/*
 * Opens PATH, or with a number PATH.NUMBER.  Like perf, renames an existing recording to FILE.old.
 * Sets `name`, to be freed.  Returns the fd or -errno, which has been printed.
 */
int record_file__open(const char *path, uint32_t number, char **name);

/* "1.5 MiB" */
void record_file__format_size(char *text, size_t room, uint64_t bytes);

#endif /* CLI_RECORD_FILE_H */
