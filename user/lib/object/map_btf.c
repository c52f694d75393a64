// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/map_btf.c: adds definitions of maps to BTF. */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "object/map_btf.h"

#define POINTER_BITS 64

bool map_btf__is_legacy(const char *section)
{
	return !strcmp(section, "maps") || begins_with(section, "maps/");
}

/* The type of a pointer to an array of `number` elements: the kernel limits the array's bytes. */
static int add_number(struct btf *btf, int byte, uint32_t number)
{
	int array = btf__add_array(btf, byte, byte, number);

	return array < 0 ? array : btf__add_ptr(btf, array);
}

/* The number of the type, or a negative errno. */
static int add_struct(struct btf *btf, int byte, const struct map_definition *definition)
{
	int types[MAP_DEFINITION_MEMBERS], id, err = 0;

	for (size_t i = 0; i < MAP_DEFINITION_MEMBERS; i++) {
		types[i] = add_number(btf, byte, definition->members[i]);
		if (types[i] < 0)
			return types[i];
	}
	id = btf__add_struct(btf, NULL, MAP_BTF_VARIABLE_BYTES);
	for (size_t i = 0; id >= 0 && !err && i < MAP_DEFINITION_MEMBERS; i++)
		err = btf__add_field(btf, map_definition__member(i), types[i],
				     (uint32_t)i * POINTER_BITS, 0);
	return err ? err : id;
}

static int add_variable(struct btf *btf, int byte, const struct defined_map *map)
{
	int type = add_struct(btf, byte, &map->definition);

	return type < 0 ? type : btf__add_var(btf, map->name, BTF_VAR_GLOBAL_ALLOCATED, type);
}

/* `variables` gets the number of each map's variable. */
static int add_variables(struct btf *btf, const struct defined_map *maps, size_t count,
			 int *variables)
{
	int byte = btf__add_int(btf, "unsigned char", 1, 0);

	if (byte < 0)
		return byte;
	for (size_t i = 0; i < count; i++) {
		variables[i] = add_variable(btf, byte, &maps[i]);
		if (variables[i] < 0)
			return variables[i];
	}
	return byte;
}

/* libbpf keeps sizes and places that are not 0. */
static int add_section(struct btf *btf, const int *variables, size_t count)
{
	uint32_t bytes = (uint32_t)count * MAP_BTF_VARIABLE_BYTES;
	int err = btf__add_datasec(btf, ".maps", bytes);

	for (size_t i = 0; err >= 0 && i < count; i++)
		err = btf__add_datasec_var_info(btf, variables[i],
						(uint32_t)i * MAP_BTF_VARIABLE_BYTES,
						MAP_BTF_VARIABLE_BYTES);
	return err < 0 ? err : 0;
}

/*
 * Types are numbered by their place, so none can be removed.  A union with as many members has the
 * size of a section, and nothing refers to it.
 */
static void replace_section(struct btf_type *section, int byte)
{
	uint32_t count = btf_vlen(section);
	struct btf_member *members = (struct btf_member *)(section + 1);

	section->name_off = 0;
	section->info = (BTF_KIND_UNION << 24) | count;
	section->size = count ? 1 : 0;
	for (uint32_t i = 0; i < count; i++)
		members[i] = (struct btf_member){ .type = (uint32_t)byte };
}

static void replace_legacy_sections(struct btf *btf, int byte)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		struct btf_type *type = (struct btf_type *)btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, type->name_off);

		if (btf_is_datasec(type) && name && map_btf__is_legacy(name))
			replace_section(type, byte);
	}
}

int map_btf__add(struct btf *btf, const struct defined_map *maps, size_t count)
{
	int *variables = calloc(count + 1, sizeof(*variables)), byte, err;

	if (!variables)
		return -ENOMEM;
	byte = add_variables(btf, maps, count, variables);
	err = byte < 0 ? byte : add_section(btf, variables, count);
	if (!err)
		replace_legacy_sections(btf, byte); /* the next call of libbpf makes a new copy */
	free(variables);
	return err;
}
