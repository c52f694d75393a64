// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/extent.c: where the body and the trailer of a record end. */
#include <string.h>

#include "base/cursor.h"
#include "record/extent.h"

#define WORD		8
#define NAME_AT		16 /* of a KSYMBOL's body */
#define BPF_EVENT_BYTES 16
#define POKE_SIZES_AT	8 /* of a TEXT_POKE's body: two numbers, then the bytes that they count */
#define POKE_BYTES_AT	12

static size_t aligned(size_t bytes)
{
	return (bytes + WORD - 1) / WORD * WORD;
}

size_t extent__trailer(const struct peat_layout *layout)
{
	uint64_t has = layout->sample_id_all ? layout->sample_type & PEAT_SAMPLE_IDS : 0;

	return (size_t)__builtin_popcountll(has) * WORD;
}

/* 0: the name has no end. */
static size_t ksymbol_bytes(const uint8_t *body, size_t bytes)
{
	const uint8_t *end = bytes > NAME_AT ? memchr(body + NAME_AT, 0, bytes - NAME_AT) : NULL;

	return end ? aligned((size_t)(end - body) + 1) : 0;
}

static size_t text_poke_bytes(const uint8_t *body, size_t bytes, bool swapped)
{
	if (bytes < POKE_BYTES_AT)
		return 0;
	return aligned(POKE_BYTES_AT + (size_t)load_u16(body + POKE_SIZES_AT, swapped) +
		       load_u16(body + POKE_SIZES_AT + 2, swapped));
}

size_t extent__body(uint32_t type, const uint8_t *body, size_t bytes, bool swapped)
{
	size_t said = 0;

	if (type == PEAT_RECORD_KSYMBOL)
		said = ksymbol_bytes(body, bytes);
	else if (type == PEAT_RECORD_BPF_EVENT)
		said = BPF_EVENT_BYTES;
	else if (type == PEAT_RECORD_TEXT_POKE)
		said = text_poke_bytes(body, bytes, swapped);
	return said <= bytes ? said : 0;
}

size_t extent__record(const struct peat_layout *layout, uint32_t type, const uint8_t *record,
		      size_t size)
{
	size_t body = extent__body(type, record + EXTENT_HEADER_BYTES, size - EXTENT_HEADER_BYTES,
				   layout->swapped);
	size_t extent = EXTENT_HEADER_BYTES + body + extent__trailer(layout);

	return body && extent < size ? extent : size;
}
