// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/event_types.c: the event types that a BPF object reserves, read from its BTF. */
#include <errno.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/text.h"
#include "schema/event_types.h"

static const struct btf_type *find_section(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_DATASEC);

	return id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);
}

/* The compiler names a static variable of a function FUNCTION.VARIABLE. */
static bool is_note(const struct btf *btf, uint32_t variable)
{
	const struct btf_type *type = btf__type_by_id(btf, variable);
	const char *name = type ? btf__name_by_offset(btf, type->name_off) : NULL;
	const char *dot = name ? strrchr(name, '.') : NULL;

	return name && begins_with(dot ? dot + 1 : name, "peat_note_");
}

/* Finds note `*i` of a section, or subtracts the section's notes from `*i`.  0: it has fewer. */
static uint32_t find_in_section(const struct btf *btf, const char *name, bool has_others,
				uint32_t *i)
{
	const struct btf_type *section = find_section(btf, name);

	for (int at = 0; section && at < btf_vlen(section); at++) {
		uint32_t variable = btf_var_secinfos(section)[at].type;

		if (has_others && !is_note(btf, variable))
			continue;
		if (!*i)
			return variable;
		--*i;
	}
	return 0;
}

/* Objects built with the headers before 0.2 have their notes in a section of their own. */
static uint32_t find_variable(const struct btf *btf, uint32_t i)
{
	uint32_t variable = find_in_section(btf, ".peat.types", false, &i);

	return variable ? variable : find_in_section(btf, ".rodata", true, &i);
}

static const struct btf_type *skip_qualifiers(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_const(type) || btf_is_volatile(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

/* A note is a pointer to an array of the event's type; its element count is the event's size. */
static const struct btf_array *read_variable(const struct btf *btf, uint32_t variable)
{
	const struct btf_type *type = btf__type_by_id(btf, variable);

	if (!type || !btf_is_var(type))
		return NULL;
	type = skip_qualifiers(btf, type->type);
	if (!type || !btf_is_ptr(type))
		return NULL;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_array(type) ? btf_array(type) : NULL;
}

/* 1; 0: there are fewer notes; -EBADMSG: an invalid note. */
static int read_note(const struct btf *btf, uint32_t i, const struct btf_array **note)
{
	uint32_t variable = find_variable(btf, i);

	*note = variable ? read_variable(btf, variable) : NULL;
	if (*note)
		return 1;
	return variable ? -EBADMSG : 0;
}

int event_types__at(const struct btf *btf, uint32_t i, uint32_t *btf_id)
{
	const struct btf_array *note;
	int found = read_note(btf, i, &note);

	if (found > 0)
		*btf_id = note->type;
	return found;
}

static const struct btf_type *skip_names(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = skip_qualifiers(btf, id);

	/* More typedefs than types: they refer to each other. */
	for (uint32_t i = btf__type_cnt(btf); i && type && btf_is_typedef(type); i--)
		type = skip_qualifiers(btf, type->type);
	return type;
}

bool event_types__has_stacks(const struct btf *btf, uint32_t btf_id)
{
	const struct btf_type *type = skip_names(btf, btf_id);
	const char *name;

	if (!type || !btf_is_struct(type) || !btf_vlen(type))
		return false;
	type = skip_names(btf, btf_members(type)[btf_vlen(type) - 1].type);
	name = type && btf_is_struct(type) ? btf__name_by_offset(btf, type->name_off) : NULL;
	return name && !strcmp(name, "peat_stacks");
}

int event_types__largest(const struct btf *btf, uint32_t stack_bytes, uint32_t *bytes)
{
	const struct btf_array *note;
	int found;

	*bytes = 0;
	for (uint32_t i = 0; (found = read_note(btf, i, &note)) > 0; i++) {
		uint32_t size = note->nelems;

		if (stack_bytes && event_types__has_stacks(btf, note->type))
			size += stack_bytes;
		if (size > *bytes)
			*bytes = size;
	}
	return found;
}

bool event_types__is_first(const struct btf *btf, uint32_t i)
{
	uint32_t id, other;

	if (event_types__at(btf, i, &id) <= 0)
		return false;
	for (uint32_t at = 0; at < i; at++)
		if (event_types__at(btf, at, &other) > 0 && other == id)
			return false;
	return true;
}
