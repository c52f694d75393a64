/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/files/late_files.h: files that a namer reads while events go on: they stay open, since
 * their processes may end meanwhile.
 */
#ifndef PEAT_SYMBOLS_FILES_LATE_FILES_H
#define PEAT_SYMBOLS_FILES_LATE_FILES_H

#include "symbols/files/file_reader.h"

#define LATE_FILES_MAX 32

struct symbol_table;

enum late_part { LATE_SYMBOLS, LATE_FRAMES };

struct late_file {
	struct symbol_table *table;
	struct opened_file file; /* its fd and path belong to it */
	enum late_part part;
};

/* The first one is read now. */
struct late_files {
	struct late_file list[LATE_FILES_MAX];
	uint32_t count;
};

/* Adds a file, whose fd and path are copied.  False: there are too many, or no memory. */
bool late_files__add(struct late_files *files, struct symbol_table *table,
		     const struct opened_file *file, enum late_part part);

/* Whether a part of a table is waited for. */
bool late_files__have(const struct late_files *files, const struct symbol_table *table,
		      enum late_part part);

/* Removes the first one, which has to be there, and closes it. */
void late_files__remove(struct late_files *files);

#endif /* PEAT_SYMBOLS_FILES_LATE_FILES_H */
