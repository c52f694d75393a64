// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* globals.c: global variables of a BPF object, found by name through its BTF. */
#include <errno.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "globals.h"

/* libbpf shortens a map's name, so ".rodata" is found by the end of it. */
static bool ends_with(const char *text, const char *end)
{
	size_t text_bytes = strlen(text), end_bytes = strlen(end);

	return text_bytes >= end_bytes && !strcmp(text + text_bytes - end_bytes, end);
}

static void *section_memory(struct bpf_object *object, const char *section, size_t *bytes)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) if (ends_with(bpf_map__name(map), section)) return (
		void *)bpf_map__initial_value(map, bytes); /* const in 1.1 only */
	return NULL;
}

static const struct btf_var_secinfo *find_variable(const struct btf *btf,
						   const struct btf_type *section, const char *name)
{
	const struct btf_var_secinfo *variable = btf_var_secinfos(section);

	for (int i = 0; i < btf_vlen(section); i++, variable++) {
		const struct btf_type *type = btf__type_by_id(btf, variable->type);

		if (type && !strcmp(btf__name_by_offset(btf, type->name_off), name))
			return variable;
	}
	return NULL;
}

static int set_in(struct bpf_object *object, const char *section, const char *name,
		  const void *value, size_t bytes)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, section, BTF_KIND_DATASEC) : -ENOENT;
	const struct btf_var_secinfo *variable;
	size_t memory_bytes;
	char *memory;

	if (id < 0)
		return -ENOENT;
	variable = find_variable(btf, btf__type_by_id(btf, (uint32_t)id), name);
	if (!variable)
		return -ENOENT;
	memory = section_memory(object, section, &memory_bytes);
	if (!memory || variable->offset > memory_bytes ||
	    variable->size > memory_bytes - variable->offset)
		return -EBADMSG;
	if (bytes > variable->size)
		return -E2BIG;
	memset(memory + variable->offset, 0, variable->size);
	memcpy(memory + variable->offset, value, bytes);
	return 0;
}

int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes)
{
	static const char *const sections[] = { ".rodata", ".data", ".bss" };
	int err = -ENOENT;

	for (size_t i = 0; err == -ENOENT && i < sizeof(sections) / sizeof(*sections); i++)
		err = set_in(object, sections[i], name, value, bytes);
	return err;
}
