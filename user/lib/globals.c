// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* globals.c: global variables of a BPF object, found by name through its BTF. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "globals.h"

/* libbpf shortens a map's name, so ".rodata" is found by the end of it. */
static bool ends_with(const char *text, const char *end)
{
	size_t text_bytes = strlen(text), end_bytes = strlen(end);

	return text_bytes >= end_bytes && !strcmp(text + text_bytes - end_bytes, end);
}

static struct bpf_map *find_map(struct bpf_object *object, const char *section)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (ends_with(bpf_map__name(map), section))
			return map;
	}
	return NULL;
}

/*
 * libbpf's memory of the initial values, which after the load becomes that of the map: in the same
 * place, so that libbpf unmaps it.  Its skeletons do so, and since 1.5 its load: then this changes
 * nothing.
 */
static void *map_memory(struct bpf_map *map, size_t *bytes)
{
	void *memory = (void *)bpf_map__initial_value(map, bytes); /* const in 1.1 only */
	int flags = (int)bpf_map__map_flags(map);

	if (!memory || bpf_map__fd(map) < 0)
		return memory;
	if (!(flags & BPF_F_MMAPABLE)) {
		errno = ENOTSUP;
		return NULL;
	}
	memory =
		mmap(memory, *bytes, flags & BPF_F_RDONLY_PROG ? PROT_READ : PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED, bpf_map__fd(map), 0);
	return memory == MAP_FAILED ? NULL : memory;
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

static void *find_in(struct bpf_object *object, const char *section, const char *name,
		     size_t *bytes)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, section, BTF_KIND_DATASEC) : -ENOENT;
	const struct btf_var_secinfo *variable = NULL;
	struct bpf_map *map = find_map(object, section);
	size_t memory_bytes;
	char *memory;

	if (id >= 0)
		variable = find_variable(btf, btf__type_by_id(btf, (uint32_t)id), name);
	errno = variable ? EBADMSG : ENOENT;
	if (!variable || !map)
		return NULL;
	memory = map_memory(map, &memory_bytes);
	if (!memory)
		return NULL;
	errno = EBADMSG;
	if (variable->offset > memory_bytes || variable->size > memory_bytes - variable->offset)
		return NULL;
	*bytes = variable->size;
	return memory + variable->offset;
}

void *globals__find(struct bpf_object *object, const char *name, size_t *bytes)
{
	static const char *const sections[] = { ".rodata", ".data", ".bss" };
	void *variable = NULL;

	errno = ENOENT;
	for (size_t i = 0; !variable && errno == ENOENT && i < sizeof(sections) / sizeof(*sections);
	     i++)
		variable = find_in(object, sections[i], name, bytes);
	return variable;
}

int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes)
{
	size_t variable_bytes;
	char *variable = globals__find(object, name, &variable_bytes);

	if (!variable)
		return -errno;
	if (bytes > variable_bytes)
		return -E2BIG;
	memset(variable, 0, variable_bytes);
	memcpy(variable, value, bytes);
	return 0;
}
