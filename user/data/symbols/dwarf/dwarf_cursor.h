/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/dwarf/dwarf_cursor.h: reads numbers of DWARF by a cursor (base/cursor.h). */
#ifndef PEAT_SYMBOLS_DWARF_DWARF_CURSOR_H
#define PEAT_SYMBOLS_DWARF_DWARF_CURSOR_H

#include <stdbool.h>

#include "base/cursor.h"

static inline struct cursor dwarf_cursor(const uint8_t *at, const uint8_t *end, bool swapped)
{
	return (struct cursor){ .at = at, .end = end, .swapped = swapped };
}

static inline uint8_t dwarf_cursor__u8(struct cursor *cur)
{
	const uint8_t *at = cursor__bytes(cur, 1);

	return at ? *at : 0;
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static inline uint64_t dwarf_cursor__uint(struct cursor *cur, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return dwarf_cursor__u8(cur);
	case 2:
		return cursor__u16(cur);
	case 4:
		return cursor__u32(cur);
	case 8:
		return cursor__u64(cur);
	default:
		cur->bad = true;
		return 0;
	}
}

static inline int64_t dwarf__sign_extend(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* LEB128: seven bits a byte.  Bits beyond the 64th are dropped.  Returns the last byte. */
static inline uint8_t dwarf_cursor__leb(struct cursor *cur, uint64_t *value, unsigned *bits)
{
	uint8_t byte;

	*value = 0;
	*bits = 0;
	do {
		byte = dwarf_cursor__u8(cur);
		if (*bits < 64)
			*value |= (uint64_t)(byte & 0x7f) << *bits;
		*bits += 7;
	} while (byte & 0x80);
	return byte;
}

static inline uint64_t dwarf_cursor__uleb(struct cursor *cur)
{
	uint64_t value;
	unsigned bits;

	dwarf_cursor__leb(cur, &value, &bits);
	return value;
}

static inline int64_t dwarf_cursor__sleb(struct cursor *cur)
{
	uint64_t value;
	unsigned bits;
	bool is_negative = dwarf_cursor__leb(cur, &value, &bits) & 0x40;

	return is_negative && bits < 64 ? dwarf__sign_extend(value, bits) : (int64_t)value;
}

#endif /* PEAT_SYMBOLS_DWARF_DWARF_CURSOR_H */
