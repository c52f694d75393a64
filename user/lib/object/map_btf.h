/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/map_btf.h: BTF that defines maps, as clang makes it of
 *
 *	struct {
 *		int (*type)[BPF_MAP_TYPE_HASH];
 *		int (*max_entries)[1024];
 *	} counts SEC(".maps");
 */
#ifndef PEAT_OBJECT_MAP_BTF_H
#define PEAT_OBJECT_MAP_BTF_H

#include <stdbool.h>
#include <stddef.h>

#include "object/map_definition.h"

struct btf;

/* The bytes of a map in the section .maps: pointers, all NULL. */
#define MAP_BTF_VARIABLE_BYTES (MAP_DEFINITION_MEMBERS * 8)

struct defined_map {
	const char *name;
	struct map_definition definition;
};

/* Whether a section has definitions from before BTF, by its name: "maps", "maps/counts". */
bool map_btf__is_legacy(const char *section);

/*
 * Adds the section .maps, which has the maps in this order, and removes sections of definitions
 * from before BTF.  The numbers of all types stay the same, and so do the places of names.
 *
 * 0; -EINVAL: a name is invalid; -ENOMEM.
 */
int map_btf__add(struct btf *btf, const struct defined_map *maps, size_t count);

#endif /* PEAT_OBJECT_MAP_BTF_H */
