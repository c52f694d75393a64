// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* types.c: which events a BPF object reserves, read from its BTF. */
#include <errno.h>
#include <bpf/btf.h>

#include "types.h"

/* A note is a pointer to an array: of the event's type, with as many elements as it has bytes. */
static int noted_bytes(const struct btf *btf, uint32_t variable, uint32_t *bytes)
{
	const struct btf_type *type = btf__type_by_id(btf, variable);

	if (!type || !btf_is_var(type))
		return -EBADMSG;
	type = btf__type_by_id(btf, type->type);
	if (!type || !btf_is_ptr(type))
		return -EBADMSG;
	type = btf__type_by_id(btf, type->type);
	if (!type || !btf_is_array(type))
		return -EBADMSG;
	*bytes = btf_array(type)->nelems;
	return 0;
}

int types__largest(const struct btf *btf, uint32_t *bytes)
{
	int id = btf__find_by_name_kind(btf, ".peat.types", BTF_KIND_DATASEC);
	const struct btf_type *section = id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);

	*bytes = 0;
	for (int i = 0; section && i < btf_vlen(section); i++) {
		uint32_t noted;
		int err = noted_bytes(btf, btf_var_secinfos(section)[i].type, &noted);

		if (err)
			return err;
		if (noted > *bytes)
			*bytes = noted;
	}
	return 0;
}
