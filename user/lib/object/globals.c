// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/globals.c: global variables of a BPF object, found by name through its BTF. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/text.h"
#include "object/globals.h"

/* libbpf shortens a map's name to a part of the object's name and the section: compare its end. */
static bool ends_with(const char *text, const char *end)
{
	size_t text_bytes = strlen(text), end_bytes = strlen(end);

	return text_bytes >= end_bytes && !strcmp(text + text_bytes - end_bytes, end);
}

static struct bpf_map *find_section_map(struct bpf_object *object, const char *section)
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
 * Before the load, libbpf's memory of the initial values.  After the load, the map is mapped over
 * it, so that libbpf unmaps it.  libbpf's skeletons do the same, and since 1.5 its load does: then
 * this changes nothing.
 */
static void *map_variables(struct bpf_map *map, size_t *bytes)
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

/* ".rodata", ".data", ".bss", or a subsection such as ".data.counters". */
static bool is_variable_section(const struct btf *btf, const struct btf_type *type)
{
	static const char *const sections[] = { ".rodata", ".data", ".bss" };
	const char *name = btf_is_datasec(type) ? btf__name_by_offset(btf, type->name_off) : NULL;

	for (size_t i = 0; name && i < sizeof(sections) / sizeof(*sections); i++) {
		size_t bytes = strlen(sections[i]);

		if (!strncmp(name, sections[i], bytes) && (!name[bytes] || name[bytes] == '.'))
			return true;
	}
	return false;
}

/* A variable in its section, without its memory. */
struct variable_place {
	const char *section;
	const struct btf_var_secinfo *info;
	struct global global;
};

/* Finds the variable number `*i` of a section, or subtracts the section's variables from `*i`. */
static int find_in_section(const struct btf *btf, const struct btf_type *section, uint32_t *i,
			   struct variable_place *place)
{
	const struct btf_type *type;

	if (*i >= btf_vlen(section)) {
		*i -= btf_vlen(section);
		return 0;
	}
	place->section = btf__name_by_offset(btf, section->name_off);
	place->info = btf_var_secinfos(section) + *i;
	place->global = (struct global){ .id = place->info->type };
	type = btf__type_by_id(btf, place->global.id);
	place->global.name = type ? btf__name_by_offset(btf, type->name_off) : NULL;
	if (!place->global.name)
		place->global.name = "";
	return 1;
}

static bool find_variable(const struct bpf_object *object, uint32_t i, struct variable_place *place)
{
	const struct btf *btf = bpf_object__btf(object);
	uint32_t types = btf ? btf__type_cnt(btf) : 0;
	int found = 0;

	for (uint32_t id = 1; !found && id < types; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (is_variable_section(btf, type))
			found = find_in_section(btf, type, &i, place);
	}
	return found;
}

static int find_variable_memory(struct bpf_object *object, struct variable_place *place)
{
	struct bpf_map *map = find_section_map(object, place->section);
	const struct btf_var_secinfo *info = place->info;
	size_t bytes;
	char *memory;

	if (!map)
		return -EBADMSG;
	memory = map_variables(map, &bytes);
	if (!memory)
		return -errno;
	if (info->offset > bytes || info->size > bytes - info->offset)
		return -EBADMSG;
	place->global.memory = memory + info->offset;
	place->global.bytes = info->size;
	place->global.is_constant = begins_with(place->section, ".rodata");
	place->global.is_loaded = bpf_map__fd(map) >= 0;
	return 0;
}

int globals__at(struct bpf_object *object, uint32_t i, struct global *global)
{
	struct variable_place place;
	int err;

	if (!find_variable(object, i, &place))
		return 0;
	err = find_variable_memory(object, &place);
	*global = place.global;
	return err ? err : 1;
}

bool globals__is_public(const struct global *global)
{
	return *global->name && !strchr(global->name, '.') &&
	       strncmp(global->name, "peat_", 5) != 0;
}

int globals__find_public(struct bpf_object *object, const char *name, size_t name_bytes,
			 struct global *global)
{
	struct variable_place place;
	int err;

	for (uint32_t i = 0; find_variable(object, i, &place); i++) {
		if (strncmp(place.global.name, name, name_bytes) || place.global.name[name_bytes] ||
		    !globals__is_public(&place.global))
			continue;
		err = find_variable_memory(object, &place);
		*global = place.global;
		return err ? err : 1;
	}
	return 0;
}

void *globals__find(struct bpf_object *object, const char *name, size_t *bytes)
{
	struct variable_place place;
	int err = -ENOENT;

	for (uint32_t i = 0; err == -ENOENT && find_variable(object, i, &place); i++)
		if (!strcmp(place.global.name, name))
			err = find_variable_memory(object, &place);
	if (err)
		return fail_null(err);
	*bytes = place.global.bytes;
	return place.global.memory;
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
