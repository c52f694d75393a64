/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_WRITTEN_FILES_H
#define CLI_WRITTEN_FILES_H

#include <stddef.h>

/*
 * written_files.h: files that a run wrote, from the oldest on, so that no other file is removed
 * that has the name of one by now.  Open files would be safe too, but their space would not become
 * free when the user removes them.
 */

struct written_file;

struct written_files {
	struct written_file *at;
	size_t count;
};

/* Adds an open file, as the newest.  0 or a negative errno. */
int written_files__add(struct written_files *files, int fd);

/*
 * Forgets the oldest file, and removes it if `path` still leads to it.  0: removed, or nothing has
 * this name; -EBUSY: another file has it, and stays; another negative errno.
 */
int written_files__remove_oldest(struct written_files *files, const char *path);

void written_files__free(struct written_files *files);

#endif /* CLI_WRITTEN_FILES_H */
