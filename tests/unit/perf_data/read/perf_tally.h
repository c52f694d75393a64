/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_tally.h: perf.data of each layout, made, read and counted. */
#ifndef TESTS_UNIT_PERF_DATA_READ_PERF_TALLY_H
#define TESTS_UNIT_PERF_DATA_READ_PERF_TALLY_H

#include <errno.h>
#include <stdio.h>

#include "perf_data/read/file.h"

#include "support/machine/harness.h"
#include "perf_maker.h"
#include "zstd_pieces.h"

#define IDENTIFIED (PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME)
#define ID_ALL	   (1ULL << PERF_ATTR_SAMPLE_ID_ALL)

static const struct made_attr two[] = { { 1, 112, 0, IDENTIFIED, ID_ALL },
					{ 1, 112, 9, IDENTIFIED, ID_ALL } };

/* What was read: how often each type, how many samples of each event. */
struct tally {
	unsigned long records, types[100], of[4], nobodys, inflated;
	uint64_t payload_bytes, offset; /* of the last record */
	struct perf_end end;
	int ret;
};

/* All that is pointed to is touched, for the sanitizer to see. */
static inline void touch(const struct perf_entry *entry)
{
	volatile uint8_t sum = 0;

	for (size_t i = 0; i < entry->size; i++)
		sum = (uint8_t)(sum + entry->bytes[i]);
	for (size_t i = 0; entry->payload && i < entry->payload_bytes; i++)
		sum = (uint8_t)(sum + entry->payload[i]);
}

static inline void count(struct tally *tally, const struct perf_entry *entry)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	touch(entry);
	ck_assert_uint_ge(entry->size, 8);
	tally->records++;
	tally->types[entry->type < 100 ? entry->type : 0]++;
	tally->inflated += entry->inflated;
	tally->payload_bytes += entry->payload_bytes;
	tally->offset = entry->offset;
	if (entry->layout)
		peat_record__decode(entry->layout, entry->bytes, entry->size, &rec);
	if (entry->type == PEAT_RECORD_SAMPLE && entry->attr)
		tally->of[entry->attr->index < 4 ? entry->attr->index : 3]++;
	else if (entry->type == PEAT_RECORD_SAMPLE)
		tally->nobodys++;
}

static inline struct tally read_file(struct perf_file *file)
{
	struct tally tally = { 0 };
	struct perf_entry entry;

	while ((tally.ret = perf_file__next(file, &entry)) > 0)
		count(&tally, &entry);
	tally.end = *perf_file__end(file);
	ck_assert_int_eq(perf_file__next(file, &entry), tally.ret);
	return tally;
}

static inline void touch_features(struct perf_file *file)
{
	struct perf_feature feature = { 0 };
	volatile uint8_t sum = 0;

	while (perf_file__next_feature(file, &feature) > 0)
		for (uint64_t i = 0; feature.bytes && i < feature.bytes_count; i++)
			sum = (uint8_t)(sum + feature.bytes[i]);
}

/* In memory that ends where it ends.  Not opened: ret says so. */
static inline struct tally read_bytes(const void *bytes, size_t count, bool seekable)
{
	struct tally tally = { 0 };
	struct perf_file *file;
	const char *why;
	uint8_t *copy = memcpy(malloc(count + !count), bytes, count);

	tally.ret = perf_file__open_memory(&file, copy, count, seekable, &why);
	if (!tally.ret) {
		touch_features(file);
		tally = read_file(file);
		perf_file__close(file);
	} else {
		ck_assert_ptr_null(file);
		ck_assert(tally.ret == -EBADMSG || tally.ret == -ESPIPE);
		ck_assert_ptr_nonnull(why);
	}
	free(copy);
	return tally;
}

static inline struct tally read_made(const struct maker *m)
{
	return read_bytes(m->at, m->len, true);
}

static inline void check_end(const struct tally *tally, enum perf_end_how how, uint64_t offset,
			     const char *why)
{
	ck_assert_int_eq(tally->ret, 0);
	ck_assert_msg(tally->end.how == how && tally->end.offset == offset, "%d at %lu: %s",
		      tally->end.how, (unsigned long)tally->end.offset, tally->end.why ?: "");
	ck_assert_msg(!why == !tally->end.why && (!why || strstr(tally->end.why, why)), "%s",
		      tally->end.why ?: "whole");
}

/* Three samples of the first event, two of the second, two COMMs, and three features. */
static inline void make_usual(struct maker *m)
{
	size_t data;

	make_file(m, two, 2);
	data = m->len;
	make_comm(m, 0);
	for (unsigned i = 0; i < 3; i++)
		make_sample(m, 100 + i % 2, i);
	make_comm(m, 201);
	for (unsigned i = 0; i < 2; i++)
		make_sample(m, 200 + i, i);
	end_data(m, data, 3);
}

#define USUAL_DATA_BYTES (2 * 48 + 5 * 32)

static inline void check_usual(const struct tally *tally)
{
	ck_assert_uint_eq(tally->records, 7);
	ck_assert_uint_eq(tally->types[PEAT_RECORD_COMM], 2);
	ck_assert_uint_eq(tally->of[0], 3);
	ck_assert_uint_eq(tally->of[1], 2);
	ck_assert_uint_eq(tally->nobodys, 0);
}

static inline uint64_t data_of_usual(const struct maker *m)
{
	struct maker copy = { .swapped = m->swapped };
	uint64_t data;

	make_file(&copy, two, 2);
	data = copy.len;
	free(copy.at);
	return data;
}

static inline struct perf_file *open_made(const struct maker *m)
{
	struct perf_file *file;
	const char *why;

	ck_assert_int_eq(perf_file__open_memory(&file, m->at, m->len, true, &why), 0);
	ck_assert_ptr_null(why);
	return file;
}

static inline void make_pipe(struct maker *m)
{
	size_t start;

	make_pipe_header(m);
	make_pipe_attr(m, &two[0], 100);
	make_pipe_attr(m, &two[1], 200);
	start = make_header(m, TOOL_EVENT_UPDATE, 0, 0);
	make(m, 2, 8);
	make(m, 200, 8);
	make_bytes(m, "dummy:u", 8);
	end_made(m, start);
	make_sample(m, 200, 1);
	start = make_header(m, TOOL_TRACING_DATA, 0, 12);
	make(m, 16, 4);
	make_bytes(m, "sixteen of these", 16);
	make_sample(m, 100, 2);
	make_header(m, 80, 0, 19); /* a HEADER_FEATURE of odd length: what follows is unaligned */
	make(m, 3, 8);
	make_bytes(m, "abc", 3);
	make_sample(m, 200, 3);
	make_header(m, TOOL_AUXTRACE, 0, 48);
	make(m, 100000, 8);
	make_zeroes(m, 32 + 100000);
	make_sample(m, 100, 4);
	make_comm(m, 0);
}

static inline void make_samples(struct maker *m, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		make_sample(m, i % 2 ? 100 : 200, i);
}

/* Pieces of 37 bytes, so that nearly each record straddles some; plain records between them. */
static inline void make_compressed(struct maker *m, uint32_t type)
{
	struct maker plain = { .swapped = m->swapped };
	ZSTD_CStream *stream = ZSTD_createCStream();
	uint8_t piece[1000];
	size_t data;

	ZSTD_initCStream(stream, 1);
	make_samples(&plain, 50);
	make_file(m, two, 2);
	data = m->len;
	for (size_t at = 0; at < plain.len; at += 37) {
		size_t each = plain.len - at < 37 ? plain.len - at : 37;
		size_t bytes = zstd_piece(stream, plain.at + at, each, piece, sizeof(piece));
		size_t start = make_header(m, type, 0, 0);

		if (type == TOOL_COMPRESSED2)
			make(m, bytes, 8);
		make_bytes(m, piece, bytes);
		while (type == TOOL_COMPRESSED2 && m->len % 8)
			make(m, 0, 1);
		end_made(m, start);
		if (at == 37 * 3)
			make_comm(m, 0);
	}
	end_data(m, data, 1);
	ZSTD_freeCStream(stream);
	free(plain.at);
}

#endif /* TESTS_UNIT_PERF_DATA_READ_PERF_TALLY_H */
