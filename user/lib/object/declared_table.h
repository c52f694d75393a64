/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/declared_table.h: a map that its object declares as a table: PEAT_TABLE(), PEAT_HIST(). */
#ifndef PEAT_OBJECT_DECLARED_TABLE_H
#define PEAT_OBJECT_DECLARED_TABLE_H

#include "schema/map_schema.h"
#include "schema/map_tags.h"

struct bpf_map;
struct bpf_object;

struct declared_table {
	const struct bpf_map *map;
	struct map_tags tags;
	struct map_type type; /* its strings are those of tags, map and object */
	struct map_schema made;
};

/*
 * Reads the declaration of a map, before the object is loaded.  `name` is the object's, for
 * messages.
 *
 *	1	a table: to be freed
 *	0	the map is not declared as a table
 *	-EINVAL	its type is not that of a table; or another negative errno; logged
 */
int declared_table__read(struct declared_table *table, const struct bpf_object *object,
			 const struct bpf_map *map, const char *name);

void declared_table__free(struct declared_table *table);

#endif /* PEAT_OBJECT_DECLARED_TABLE_H */
