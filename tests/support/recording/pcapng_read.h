/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pcapng_read.h: reads the blocks of a pcapng file, written without the code under test.  Each
 * length is checked against what contains it.
 *
 *	struct pcapng_block block;
 *
 *	for (at = 0; pcapng_read(bytes, count, &at, &block);)
 *		...
 *	ck_assert(at == count);
 */
#ifndef TESTS_SUPPORT_RECORDING_PCAPNG_READ_H
#define TESTS_SUPPORT_RECORDING_PCAPNG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, STATISTICS = 5, PACKET = 6 };

struct pcapng_block {
	uint32_t type;
	const uint8_t *body, *options, *end;
};

static inline uint64_t little(const uint8_t *at, size_t bytes)
{
	uint64_t value = 0;

	while (bytes)
		value = value << 8 | at[--bytes];
	return value;
}

/* The fixed part of the body; SIZE_MAX: a type that the sink does not write. */
static inline size_t pcapng_fixed_bytes(uint32_t type, const uint8_t *body, size_t room)
{
	switch (type) {
	case SECTION:
		return 16;
	case INTERFACE:
		return 8;
	case STATISTICS:
		return 12;
	case PACKET:
		return room < 20 ? SIZE_MAX : 20 + ((little(body + 12, 4) + 3) & ~(uint64_t)3);
	default:
		return SIZE_MAX;
	}
}

/* Whether the options are whole and have an end. */
static inline bool pcapng_options_are_whole(const uint8_t *at, const uint8_t *end)
{
	while (end - at >= 4) {
		size_t bytes = little(at + 2, 2);

		if (!little(at, 2))
			return !bytes && at + 4 == end;
		bytes = 4 + ((bytes + 3) & ~(size_t)3);
		if (bytes > (size_t)(end - at))
			return false;
		at += bytes;
	}
	return false;
}

/* Reads the block at `*at` and sets `*at` behind it.  False: there is no whole block. */
static inline bool pcapng_read(const uint8_t *bytes, size_t count, size_t *at,
			       struct pcapng_block *block)
{
	const uint8_t *start = bytes + *at;
	size_t length, fixed;

	if (count - *at < 12)
		return false;
	length = little(start + 4, 4);
	if (length % 4 || length < 12 || length > count - *at ||
	    little(start + length - 4, 4) != length)
		return false;
	*block = (struct pcapng_block){ .type = (uint32_t)little(start, 4),
					.body = start + 8,
					.end = start + length - 4 };
	fixed = pcapng_fixed_bytes(block->type, block->body, length - 12);
	if (fixed > length - 12)
		return false;
	block->options = block->body + fixed;
	*at += length;
	return pcapng_options_are_whole(block->options, block->end);
}

/* The value of the n-th option with this code, from 0, and its length; NULL: none. */
static inline const uint8_t *pcapng_option(const struct pcapng_block *block, unsigned code,
					   unsigned n, size_t *bytes)
{
	for (const uint8_t *at = block->options; at < block->end;) {
		*bytes = little(at + 2, 2);
		if (little(at, 2) == code && !n--)
			return at + 4;
		at += 4 + ((*bytes + 3) & ~(size_t)3);
	}
	return NULL;
}

#endif /* TESTS_SUPPORT_RECORDING_PCAPNG_READ_H */
