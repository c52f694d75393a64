// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * object/core_relos.c: parses the CO-RE relocations in a section .BTF.ext.
 *
 * The format is described in the kernel's Documentation/bpf/btf.rst, and in linux/bpf.h by struct
 * bpf_core_relo.
 */
#include <linux/bpf.h>

#include "object/btf_ext.h"
#include "object/core_relos.h"

static bool are_own_ids(struct cursor *relos, uint32_t count, uint32_t relo_bytes)
{
	bool own = true;

	for (uint32_t i = 0; own && i < count; i++) {
		const uint8_t *relo = cursor__bytes(relos, relo_bytes);

		own = relo && load_u32(relo + offsetof(struct bpf_core_relo, kind), false) ==
				      BPF_CORE_TYPE_ID_LOCAL;
	}
	return own;
}

bool core_relos__need_kernel(const void *section, size_t bytes)
{
	struct cursor relos;
	uint32_t relo_bytes;
	bool own = true;

	if (!btf_ext__find(section, bytes, BTF_EXT_RELOS, &relos))
		return true;
	if (!cursor__left(&relos))
		return false;
	relo_bytes = cursor__u32(&relos);
	if (relo_bytes < sizeof(struct bpf_core_relo))
		return true;
	while (own && cursor__left(&relos)) {
		cursor__u32(&relos); /* the section's name */
		own = are_own_ids(&relos, cursor__u32(&relos), relo_bytes);
	}
	return !own || relos.bad;
}
