// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* types.c: which events a BPF object reserves, read from its BTF. */
#include <errno.h>
#include <bpf/btf.h>

#include "schema/event_types.h"

/* A note is a pointer to an array: of the event's type, with as many elements as it has bytes. */
static const struct btf_array *find_note(const struct btf *btf, uint32_t variable)
{
	const struct btf_type *type = btf__type_by_id(btf, variable);

	if (!type || !btf_is_var(type))
		return NULL;
	type = btf__type_by_id(btf, type->type);
	if (!type || !btf_is_ptr(type))
		return NULL;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_array(type) ? btf_array(type) : NULL;
}

static const struct btf_type *find_section(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, ".peat.types", BTF_KIND_DATASEC);

	return id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);
}

int types__at(const struct btf *btf, uint32_t i, uint32_t *btf_id)
{
	const struct btf_type *section = find_section(btf);
	const struct btf_array *note;

	if (!section || i >= btf_vlen(section))
		return 0;
	note = find_note(btf, btf_var_secinfos(section)[i].type);
	if (!note)
		return -EBADMSG;
	*btf_id = note->type;
	return 1;
}

int types__largest(const struct btf *btf, uint32_t *bytes)
{
	const struct btf_type *section = find_section(btf);

	*bytes = 0;
	for (int i = 0; section && i < btf_vlen(section); i++) {
		const struct btf_array *note = find_note(btf, btf_var_secinfos(section)[i].type);

		if (!note)
			return -EBADMSG;
		if (note->nelems > *bytes)
			*bytes = note->nelems;
	}
	return 0;
}

bool types__is_first(const struct btf *btf, uint32_t i)
{
	uint32_t id, other;

	if (types__at(btf, i, &id) <= 0)
		return false;
	for (uint32_t at = 0; at < i; at++)
		if (types__at(btf, at, &other) > 0 && other == id)
			return false;
	return true;
}
