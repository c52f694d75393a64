/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/cursor.h: reads bytes whose lengths and counts cannot be trusted.
 *
 * A read past the end returns zero, or an empty array, and sets `bad` for good: parse on, and check
 * once, at the end.
 */
#ifndef PEAT_BASE_CURSOR_H
#define PEAT_BASE_CURSOR_H

#include <string.h>

#include <peat/record.h>

struct cursor {
	const uint8_t *at, *end;
	const struct peat_layout *layout;
	bool swapped; /* layout->swapped */
	bool bad;     /* a read was past the end */
};

static inline void cursor__init(struct cursor *cur, const uint8_t *at, const uint8_t *end,
				const struct peat_layout *layout)
{
	cur->at = at;
	cur->end = end;
	cur->layout = layout;
	cur->swapped = layout->swapped;
	cur->bad = false;
}

static inline size_t cursor__left(const struct cursor *cur)
{
	return (size_t)(cur->end - cur->at);
}

static inline void cursor__fail(struct cursor *cur)
{
	cur->bad = true;
	cur->at = cur->end;
}

/* The next `bytes` bytes; NULL: there are fewer. */
static inline const void *cursor__bytes(struct cursor *cur, uint64_t bytes)
{
	const uint8_t *at = cur->at;

	if (__builtin_expect(bytes > cursor__left(cur), 0)) {
		cursor__fail(cur);
		return NULL;
	}
	cur->at = at + bytes;
	return at;
}

static inline uint16_t load_u16(const void *at, bool swapped)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap16(v) : v;
}

static inline uint32_t load_u32(const void *at, bool swapped)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

static inline uint64_t load_u64(const void *at, bool swapped)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap64(v) : v;
}

static inline uint16_t cursor__u16(struct cursor *cur)
{
	const void *at = cursor__bytes(cur, sizeof(uint16_t));

	return at ? load_u16(at, cur->swapped) : 0;
}

static inline uint32_t cursor__u32(struct cursor *cur)
{
	const void *at = cursor__bytes(cur, sizeof(uint32_t));

	return at ? load_u32(at, cur->swapped) : 0;
}

static inline uint64_t cursor__u64(struct cursor *cur)
{
	const void *at = cursor__bytes(cur, sizeof(uint64_t));

	return at ? load_u64(at, cur->swapped) : 0;
}

/* An array of `nr` elements of `words` u64 each; divides, as nr is input and may be anything. */
static inline struct peat_words cursor__words(struct cursor *cur, uint64_t nr, uint64_t words)
{
	struct peat_words array = { cur->at, 0, cur->swapped };

	if (words == 0)
		return array;
	if (nr > cursor__left(cur) / sizeof(uint64_t) / words) {
		cursor__fail(cur);
		return array;
	}
	array.count = nr * words;
	cur->at += array.count * sizeof(uint64_t);
	return array;
}

/* All bytes left, as a string; NULL: no NUL among them. */
static inline const char *cursor__string(struct cursor *cur)
{
	const uint8_t *at = cur->at;

	if (!memchr(at, '\0', cursor__left(cur))) {
		cursor__fail(cur);
		return NULL;
	}
	cur->at = cur->end;
	return (const char *)at;
}

#endif /* PEAT_BASE_CURSOR_H */
