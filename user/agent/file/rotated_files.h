/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/rotated_files.h: the files that PATH was before: PATH.20261129-161500, with the time in UTC
 * at which it was rotated, and .2, .3 ... if there are several of a second.  If PATH ends in .zst,
 * so do they: a.json.zst, a.json.20261129-161500.zst.
 *
 * Files with such names are taken for this output's, also after a restart, if they are regular and
 * of the user that runs it.
 */
#ifndef PEAT_FILE_ROTATED_FILES_H
#define PEAT_FILE_ROTATED_FILES_H

#include <stddef.h>
#include <stdint.h>

struct rotated_file;

/* The caller sets `path`, and all else to 0. */
struct rotated_files {
	const char *path; /* lent */
	/*
	 * Not NULL: "%s" in `path` stands for any source.  It is the path of one of them, lent; the
	 * current files of the others count in `bytes`, but are not removed.
	 */
	const char *own;
	struct rotated_file *at; /* from the oldest on */
	size_t count;
	uint64_t bytes; /* of all */
};

/* Lists them anew.  0 or a negative errno. */
int rotated_files__list(struct rotated_files *files);

/* Renames PATH, to a name that no file has, and lists them.  0 or a negative errno. */
int rotated_files__add(struct rotated_files *files);

/* Removes the oldest ones that are too many, or too large.  0 or a negative errno. */
int rotated_files__limit(struct rotated_files *files, uint64_t count, uint64_t bytes);

/* -ENOENT: there is none. */
int rotated_files__remove_oldest(struct rotated_files *files);

void rotated_files__free(struct rotated_files *files);

#endif /* PEAT_FILE_ROTATED_FILES_H */
