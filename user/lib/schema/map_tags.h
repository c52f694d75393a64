/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SCHEMA_MAP_TAGS_H
#define PEAT_SCHEMA_MAP_TAGS_H

#include <stdbool.h>

struct btf;

/* PEAT_TABLE() and PEAT_HIST() of a map. */
struct map_tags {
	bool is_table;	  /* it has one of them */
	char *doc, *unit; /* owned; NULL: none */
};

/*
 * Reads the tags of the map `name`.  The kernel keeps 15 characters of a name, so a name of that
 * length is the beginning of a longer one, if `is_cut`.  0, or -EBADMSG or -ENOMEM.
 */
int map_tags__read(struct map_tags *tags, const struct btf *btf, const char *name, bool is_cut);

void map_tags__free(struct map_tags *tags);

#endif /* PEAT_SCHEMA_MAP_TAGS_H */
