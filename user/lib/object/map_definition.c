// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/map_definition.c: reads definitions of maps from before BTF. */
#include <linux/bpf.h>
#include <string.h>

#include "object/map_definition.h"

#define KNOWN_BYTES    (MAP_DEFINITION_MEMBERS * sizeof(uint32_t))
#define IPROUTE2_BYTES (9 * sizeof(uint32_t))
#define OLD_BYTES      (7 * sizeof(uint32_t))
#define GOBPF_BYTES    (6 * sizeof(uint32_t) + 256)
#define GOBPF_PINNINGS 4 /* PIN_NONE to PIN_CUSTOM_NS */

/* Members of bpf_elf_map, in words. */
enum { MAP_FLAGS = 4, IPROUTE2_PINNING = 6, IPROUTE2_INNER = 7 };

enum { GOBPF_PINNING = 5 };

static const char of_maps[] = "maps of maps have to be defined in the section .maps";

const char *map_definition__member(size_t i)
{
	static const char *const names[MAP_DEFINITION_MEMBERS] = {
		"type", "key_size", "value_size", "max_entries", "map_flags",
	};

	return names[i];
}

static uint32_t word_at(const char *bytes, size_t i)
{
	uint32_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

static bool is_zero(const char *bytes, size_t from, size_t to)
{
	while (from < to && !bytes[from])
		from++;
	return from >= to;
}

/*
 * The kernel's samples have definitions of the same size, which end with inner_map_idx and
 * numa_node.  Without the flag that numa_node needs, they mean the same map.
 */
static bool is_iproute2(const struct map_definition *definition, size_t count)
{
	return count == IPROUTE2_BYTES ||
	       (count == OLD_BYTES && !(definition->members[MAP_FLAGS] & BPF_F_NUMA_NODE));
}

/* NULL, or the reason why the bytes after map_flags are invalid. */
static const char *read_rest(struct map_definition *definition, const char *bytes, size_t count)
{
	if (is_zero(bytes, KNOWN_BYTES, count))
		return NULL;
	if (is_iproute2(definition, count)) {
		definition->wants_pin = word_at(bytes, IPROUTE2_PINNING);
		return is_zero(bytes, IPROUTE2_INNER * sizeof(uint32_t), count) ? NULL : of_maps;
	}
	definition->wants_pin = count == GOBPF_BYTES && word_at(bytes, GOBPF_PINNING);
	if (count == GOBPF_BYTES && word_at(bytes, GOBPF_PINNING) < GOBPF_PINNINGS &&
	    !bytes[count - 1])
		return NULL;
	return "the bytes after map_flags are not 0, and it is no definition of iproute2 or gobpf";
}

const char *map_definition__read(struct map_definition *definition, const void *bytes, size_t count)
{
	*definition = (struct map_definition){ 0 };
	if (count < KNOWN_BYTES)
		return "it is shorter than 20 bytes";
	for (size_t i = 0; i < MAP_DEFINITION_MEMBERS; i++)
		definition->members[i] = word_at(bytes, i);
	switch (definition->members[0]) {
	case BPF_MAP_TYPE_UNSPEC:
		return "it has no type";
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		return of_maps;
	}
	return read_rest(definition, bytes, count);
}
