/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * store.h: binary numbers behind what was put together: the other direction of cursor.h.  In the
 * byte order that out->swapped says.
 */
#ifndef STORE_H
#define STORE_H

#include "base/strbuf.h"

static inline void store_u16(struct out *out, uint16_t v)
{
	v = out->swapped ? __builtin_bswap16(v) : v;
	out__bytes(out, &v, sizeof(v));
}

static inline void store_u32(struct out *out, uint32_t v)
{
	v = out->swapped ? __builtin_bswap32(v) : v;
	out__bytes(out, &v, sizeof(v));
}

static inline void store_u64(struct out *out, uint64_t v)
{
	v = out->swapped ? __builtin_bswap64(v) : v;
	out__bytes(out, &v, sizeof(v));
}

static inline void store_u64s(struct out *out, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		store_u64(out, words[i]);
}

/* Zeroes, until a multiple of `align` bytes stands behind the first `start`. */
static inline void store_padding(struct out *out, size_t start, size_t align)
{
	out__fill(out, 0, -(out->count - start) & (align - 1));
}

#endif /* STORE_H */
