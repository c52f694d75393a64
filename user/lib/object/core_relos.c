// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * object/core_relos.c: parses the CO-RE relocations in a section .BTF.ext.
 *
 * The format is described in the kernel's Documentation/bpf/btf.rst, and in linux/bpf.h by struct
 * bpf_core_relo.  A header has the offset of the relocations.  They begin with the size of a
 * relocation; then follows, for each section of code, a header with their number and the
 * relocations.
 */
#include <linux/bpf.h>
#include <linux/btf.h>

#include "object/core_relos.h"
#include "base/cursor.h"

/* Since Linux 5.4.  Before, the header ended before the last two members: no relocations. */
struct ext_head {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t head_bytes;
	uint32_t funcs_at, funcs_bytes; /* offsets from the end of the header */
	uint32_t lines_at, lines_bytes;
	uint32_t relos_at, relos_bytes;
};

/* This machine's byte order: libbpf refuses objects of the other. */
static const struct peat_layout native;

static bool find_relos(struct cursor *relos, const uint8_t *section, size_t bytes)
{
	struct ext_head head;
	uint64_t at;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, section, sizeof(head));
	at = (uint64_t)head.head_bytes + head.relos_at;
	if (head.magic != BTF_MAGIC || head.head_bytes < sizeof(head) || at > bytes ||
	    head.relos_bytes > bytes - at)
		return false;
	cursor__init(relos, section + at, section + at + head.relos_bytes, &native);
	return true;
}

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

	if (!find_relos(&relos, section, bytes))
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
