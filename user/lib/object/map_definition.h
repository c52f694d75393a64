/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/map_definition.h: definitions of maps from before BTF: struct bpf_map_def.
 *
 *	bytes	definition
 *	20	libbpf before 1.0: type, key_size, value_size, max_entries, map_flags
 *	28	older iproute2 (bpf_elf_map): the same, id, pinning
 *	36	iproute2: the same, id, pinning, inner_id, inner_idx
 *	280	gobpf: the same, pinning, namespace (256 bytes of text)
 *	more	any other, if all bytes after map_flags are 0
 */
#ifndef PEAT_OBJECT_MAP_DEFINITION_H
#define PEAT_OBJECT_MAP_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_DEFINITION_MEMBERS 5

struct map_definition {
	uint32_t members[MAP_DEFINITION_MEMBERS]; /* type to map_flags, in that order */
	bool wants_pin;
};

/* The name of a member in a map that BTF defines: "max_entries". */
const char *map_definition__member(size_t i);

/* Reads a definition of `count` bytes, at any alignment.  NULL, or the reason why it is invalid. */
const char *map_definition__read(struct map_definition *definition, const void *bytes,
				 size_t count);

#endif /* PEAT_OBJECT_MAP_DEFINITION_H */
