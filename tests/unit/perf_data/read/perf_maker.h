/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_maker.h: files as perf writes them, made byte by byte, of either byte order.
 *
 * It shares no code with what reads them.  A file is built at maker.at[0 .. maker.len).
 */
#ifndef TESTS_UNIT_PERF_DATA_READ_PERF_MAKER_H
#define TESTS_UNIT_PERF_DATA_READ_PERF_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAKER_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct maker {
	uint8_t *at;
	size_t len, room;
	bool swapped;
};

static inline void make_bytes(struct maker *m, const void *bytes, size_t count)
{
	if (m->len + count > m->room) {
		m->room = 2 * (m->len + count);
		m->at = realloc(m->at, m->room);
		if (!m->at)
			abort();
	}
	if (count)
		memcpy(m->at + m->len, bytes, count);
	m->len += count;
}

static inline void make(struct maker *m, uint64_t v, unsigned width)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[m->swapped != MAKER_BIG_ENDIAN ? width - 1 - i : i] = (uint8_t)(v >> 8 * i);
	make_bytes(m, bytes, width);
}

static inline void make_zeroes(struct maker *m, size_t count)
{
	while (count--)
		make_bytes(m, "", 1);
}

/* Writes over what was made. */
static inline void make_over(struct maker *m, size_t at, uint64_t v, unsigned width)
{
	size_t len = m->len;

	m->len = at;
	make(m, v, width);
	m->len = len;
}

static inline size_t make_header(struct maker *m, uint32_t type, uint16_t misc, uint16_t size)
{
	make(m, type, 4);
	make(m, misc, 2);
	make(m, size, 2);
	return m->len - 8;
}

static inline void end_made(struct maker *m, size_t start)
{
	make_over(m, start + 6, m->len - start, 2);
}

/* Flags as a compiler of that machine lays out bit-fields of one bit. */
static inline void make_flags(struct maker *m, uint64_t flags)
{
	uint64_t mirrored = 0;

	for (int i = 0; i < 64; i++)
		if (flags >> i & 1)
			mirrored |= 1ULL << (63 - i);
	make(m, m->swapped != MAKER_BIG_ENDIAN ? mirrored : flags, 8);
}

struct made_attr {
	uint32_t type, size;
	uint64_t config, sample_type, flags;
};

static inline void make_attr(struct maker *m, const struct made_attr *attr)
{
	size_t start = m->len;

	make(m, attr->type, 4);
	make(m, attr->size, 4);
	make(m, attr->config, 8);
	make(m, 4000, 8);
	make(m, attr->sample_type, 8);
	make(m, 0, 8);
	make_flags(m, attr->flags);
	make_zeroes(m, attr->size - (m->len - start));
}

/* The header of a file with sections: filled in by make_sections() when they are there. */
static inline void make_file_header(struct maker *m, const char *magic)
{
	uint64_t number;

	memcpy(&number, magic, sizeof(number));
	if (!strcmp(magic, "PERFILE2"))
		make(m, MAKER_BIG_ENDIAN ? __builtin_bswap64(number) : number, 8);
	else
		make_bytes(m, magic, 8);
	make(m, 104, 8);
	make_zeroes(m, 88);
}

static inline void make_section(struct maker *m, size_t at, uint64_t offset, uint64_t bytes)
{
	make_over(m, at, offset, 8);
	make_over(m, at + 8, bytes, 8);
}

#define AT_ATTR_SIZE   16
#define AT_ATTRS       24
#define AT_DATA	       40
#define AT_EVENT_TYPES 56
#define AT_FEATURES    72

/* Events with two ids each, 100 i and 100 i + 1 for event i from 1 on; no data yet. */
static inline void make_file(struct maker *m, const struct made_attr *attrs, unsigned count)
{
	size_t at;

	make_file_header(m, "PERFILE2");
	for (unsigned i = 0; i < count; i++) {
		make(m, 100 * (i + 1), 8);
		make(m, 100 * (i + 1) + 1, 8);
	}
	at = m->len;
	for (unsigned i = 0; i < count; i++) {
		make_attr(m, &attrs[i]);
		make(m, 104 + i * 16, 8);
		make(m, 16, 8);
	}
	make_over(m, AT_ATTR_SIZE, attrs[0].size + 16, 8);
	make_section(m, AT_ATTRS, at, m->len - at);
	make_section(m, AT_DATA, m->len, 0);
}

/* All since make_file() was the data; behind them come `nr` features of 8 bytes and more. */
static inline void end_data(struct maker *m, size_t data, unsigned nr)
{
	size_t table = m->len;

	make_section(m, AT_DATA, data, m->len - data);
	make_over(m, AT_FEATURES, (2ULL << nr) - 2, 8);
	make_zeroes(m, 16 * nr);
	for (unsigned i = 0; i < nr; i++) {
		make_section(m, table + 16 * i, m->len, 8 + i);
		make(m, i + 1, 8);
		make_zeroes(m, i);
	}
}

static inline void make_pipe_header(struct maker *m)
{
	uint64_t number;

	memcpy(&number, "PERFILE2", 8);
	make(m, MAKER_BIG_ENDIAN ? __builtin_bswap64(number) : number, 8);
	make(m, 16, 8);
}

static inline void make_pipe_attr(struct maker *m, const struct made_attr *attr, uint64_t id)
{
	size_t start = make_header(m, 64, 0, 0);

	make_attr(m, attr);
	if (id)
		make(m, id, 8);
	end_made(m, start);
}

/* IDENTIFIER, TID, TIME: 32 bytes. */
static inline void make_sample(struct maker *m, uint64_t id, uint64_t time)
{
	make_header(m, 9, 1, 32);
	make(m, id, 8);
	make(m, 42, 4);
	make(m, 43, 4);
	make(m, time, 8);
}

/* With the trailer of the same fields: 48 bytes. */
static inline void make_comm(struct maker *m, uint64_t id)
{
	make_header(m, 3, 0, 48);
	make(m, 42, 4);
	make(m, 43, 4);
	make_bytes(m, "thread\0", 8);
	make(m, 42, 4);
	make(m, 43, 4);
	make(m, 1000, 8);
	make(m, id, 8);
}

#endif /* TESTS_UNIT_PERF_DATA_READ_PERF_MAKER_H */
