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

/* The offset of a part from the end of the header, and its length. */
struct place {
	uint32_t at, bytes;
};

/* This machine's byte order: libbpf refuses objects of the other. */
static const struct peat_layout native;

static struct place find_place(const struct ext_head *head, enum btf_ext_part which)
{
	switch (which) {
	case BTF_EXT_FUNCS:
		return (struct place){ head->funcs_at, head->funcs_bytes };
	case BTF_EXT_LINES:
		return (struct place){ head->lines_at, head->lines_bytes };
	default:
		return (struct place){ head->relos_at, head->relos_bytes };
	}
}

bool btf_ext__find(const void *section, size_t bytes, enum btf_ext_part which, struct cursor *part)
{
	const uint8_t *start = section;
	struct ext_head head;
	struct place place;
	uint64_t at;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, section, sizeof(head));
	place = find_place(&head, which);
	at = (uint64_t)head.head_bytes + place.at;
	if (head.magic != BTF_MAGIC || head.head_bytes < sizeof(head) || at > bytes ||
	    place.bytes > bytes - at)
		return false;
	cursor__init(part, start + at, start + at + place.bytes, &native);
	return true;
}

bool btf_ext__find_strings(const void *btf, size_t bytes, size_t *offset, size_t *count)
{
	struct btf_header head;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, btf, sizeof(head));
	if (head.magic != BTF_MAGIC || head.hdr_len > bytes ||
	    head.str_off > bytes - head.hdr_len ||
	    head.str_len > bytes - head.hdr_len - head.str_off)
		return false;
	*offset = (size_t)head.hdr_len + head.str_off;
	*count = head.str_len;
	return true;
}
