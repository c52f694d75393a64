/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* config/sections.h: the named groups of settings of a file: "outputs", "pipelines", "agent". */
#ifndef PEAT_CONFIG_SECTIONS_H
#define PEAT_CONFIG_SECTIONS_H

#include <peat/output.h>

#include "base/arena.h"

struct section {
	const char *group; /* "outputs", "pipelines"; "agent", which has no name */
	const char *name;
	const char *file;
	uint32_t line, column; /* of the name */
	struct peat_setting *settings;
	uint32_t setting_count;
};

/* All of several files, in their order.  Zeroes: none. */
struct sections {
	struct arena memory; /* of the texts */
	struct section *at;
	size_t count;
};

/*
 * Adds the sections of a file.  A setting with a sequence of values is there once for each value.
 * 0; -EINVAL: the log has file, line and column; -ENOTSUP: built without libyaml; or another
 * negative errno: the file cannot be read.
 */
int section_list__read_file(struct sections *sections, const char *path);

/* The same for a text, with `file` for messages. */
int section_list__read_text(struct sections *sections, const char *file, const char *text,
			    size_t bytes);

/* A file, or the files NAME.yaml of a directory, in the order of their names. */
int section_list__read(struct sections *sections, const char *path);

void section_list__free(struct sections *sections);

#endif /* PEAT_CONFIG_SECTIONS_H */
