/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracing_bytes.h: a TRACING_DATA built byte by byte. */
#ifndef TESTS_UNIT_TRACING_DATA_TRACING_BYTES_H
#define TESTS_UNIT_TRACING_DATA_TRACING_BYTES_H

#include "unit/record/record_bytes.h"

static inline void put_text(struct bytes *b, const char *text, unsigned int width)
{
	put(b, strlen(text), width);
	put_data(b, text, strlen(text));
}

static inline void put_word(struct bytes *b, const char *text)
{
	put_data(b, text, strlen(text) + 1);
}

/* Up to the number of systems. */
static inline void begin_tracing(struct bytes *b, const char *version, uint8_t long_bytes,
				 bool swapped)
{
	b->len = 0;
	b->swapped = swapped;
	put_data(b, "\x17\x08\x44tracing", 10);
	put_word(b, version);
	put(b, bytes__big_endian(b), 1);
	put(b, long_bytes, 1);
	put_u32(b, 4096);
	put_word(b, "header_page");
	put_text(b, "page", 8);
	put_word(b, "header_event");
	put_text(b, "event", 8);
}

static inline void begin_system(struct bytes *b, const char *name, uint32_t formats)
{
	put_word(b, name);
	put_u32(b, formats);
}

/* Some of all; `ends[i]`: where the i-th format ends. */
static inline void put_tracing(struct bytes *b, const char *version, bool swapped, size_t ends[4])
{
	begin_tracing(b, version, 8, swapped);
	put_u32(b, 1);
	put_text(b, "one", 8);
	ends[0] = b->len;
	put_u32(b, 3);
	begin_system(b, "sched", 2);
	put_text(b, "two", 8);
	ends[1] = b->len;
	put_text(b, "", 8);
	ends[2] = b->len;
	begin_system(b, "empty", 0);
	begin_system(b, "irq", 1);
	put_text(b, "four", 8);
	ends[3] = b->len;
	put_text(b, "T _text", 4);
	put_text(b, "0x1 : \"x\"", 4);
}

#endif /* TESTS_UNIT_TRACING_DATA_TRACING_BYTES_H */
