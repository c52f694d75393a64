// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/btf_ext.c: finds a part of a section .BTF.ext. */
#include <linux/btf.h>

#include "object/btf_ext.h"

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

bool btf_ext__find(const void *section, size_t bytes, enum btf_ext_part which, struct cursor *part)
{
	const uint8_t *start = section;
	struct ext_head head;
	uint32_t part_bytes;
	uint64_t at;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, section, sizeof(head));
	at = (uint64_t)head.head_bytes + (which == BTF_EXT_LINES ? head.lines_at : head.relos_at);
	part_bytes = which == BTF_EXT_LINES ? head.lines_bytes : head.relos_bytes;
	if (head.magic != BTF_MAGIC || head.head_bytes < sizeof(head) || at > bytes ||
	    part_bytes > bytes - at)
		return false;
	cursor__init(part, start + at, start + at + part_bytes, &native);
	return true;
}
