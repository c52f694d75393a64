/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* page/varint.h: numbers of one to ten bytes, seven bits each, the lowest bits first. */
#ifndef PEAT_PAGE_VARINT_H
#define PEAT_PAGE_VARINT_H

#include "base/strbuf.h"

#define VARINT_ROOM 10

static inline void varint__put(struct strbuf *out, uint64_t value)
{
	char *at = strbuf__room(out, VARINT_ROOM);

	if (!at)
		return;
	for (; value >= 0x80; value >>= 7)
		*at++ = (char)(value | 0x80);
	*at++ = (char)value;
	out->count = (size_t)(at - out->bytes);
}

/* A number of either sign: 0, -1, 1, -2 and so on. */
static inline void varint__put_signed(struct strbuf *out, int64_t value)
{
	varint__put(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* Bytes, with their number before them. */
static inline void varint__put_bytes(struct strbuf *out, const void *bytes, size_t count)
{
	varint__put(out, count);
	if (count)
		strbuf__bytes(out, bytes, count);
}

#endif /* PEAT_PAGE_VARINT_H */
