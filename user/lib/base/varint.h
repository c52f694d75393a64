/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/varint.h: numbers of one to ten bytes, seven bits each, the lowest bits first: LEB128, as in
 * protocol buffers.
 */
#ifndef PEAT_BASE_VARINT_H
#define PEAT_BASE_VARINT_H

#include "base/strbuf.h"

#define VARINT_ROOM 10

/* There are VARINT_ROOM bytes at `at`.  Returns the end of the number. */
static inline uint8_t *varint__store(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

static inline void varint__put(struct strbuf *out, uint64_t value)
{
	uint8_t *at = (uint8_t *)strbuf__room(out, VARINT_ROOM);

	if (at)
		out->count += (size_t)(varint__store(at, value) - at);
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

#endif /* PEAT_BASE_VARINT_H */
