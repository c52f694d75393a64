/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/store.h: appends binary numbers, in the byte order of out->swapped: the inverse of
 * base/cursor.h.
 */
#ifndef PEAT_BASE_STORE_H
#define PEAT_BASE_STORE_H

#include "base/strbuf.h"

static inline void store_u16(struct strbuf *out, uint16_t v)
{
	v = out->swapped ? __builtin_bswap16(v) : v;
	strbuf__bytes(out, &v, sizeof(v));
}

static inline void store_u32(struct strbuf *out, uint32_t v)
{
	v = out->swapped ? __builtin_bswap32(v) : v;
	strbuf__bytes(out, &v, sizeof(v));
}

static inline void store_u64(struct strbuf *out, uint64_t v)
{
	v = out->swapped ? __builtin_bswap64(v) : v;
	strbuf__bytes(out, &v, sizeof(v));
}

static inline void store_u64s(struct strbuf *out, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		store_u64(out, words[i]);
}

/* Appends zeroes up to a multiple of `align` bytes, counted from `start`. */
static inline void store_padding(struct strbuf *out, size_t start, size_t align)
{
	strbuf__fill(out, 0, -(out->count - start) & (align - 1));
}

#endif /* PEAT_BASE_STORE_H */
