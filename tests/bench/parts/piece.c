// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * piece.c: batches of an agent as pieces, by their number of events: bytes, and CPU time to encode
 * and to decode.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "field/fields.h"
#include "parts.h"
#include "piece/piece.h"

#define PIECE_ROUNDS 11
#define PIECE_RUN_NS 20000000

struct opened {
	uint32_t ppid, uid;
	int32_t result;
	uint32_t flags;
	char path[48];
};

static struct peat_field fields[] = {
	PARTS_FIELD(struct opened, ppid, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, uid, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, result, PEAT_FIELD_SIGNED, .is_signed = true),
	PARTS_FIELD(struct opened, flags, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, path, PEAT_FIELD_STRING),
};

static const struct peat_schema schema = { .name = "opened",
					   .fields = fields,
					   .count = sizeof(fields) / sizeof(*fields),
					   .bytes = sizeof(struct opened),
					   .stacks_fd = -1 };

/* Programs open libraries, each event with other numbers. */
static struct peat_batch *make_batch(unsigned events)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "open",
					      .bytes = UINT64_MAX };
	struct peat_batch *batch = peat_batch__new(&opts);

	for (uint32_t i = 0; batch && i < events; i++) {
		struct opened opened = { 1000 + i / 8, i % 3 * 1000, i % 7 ? 3 : -2, 0x80000, "" };
		const struct peat_event event = {
			.kind = PEAT_EVENT_DATA,
			.cpu = i / 64 % 4,
			.time_ns = 4684104235064 + i * 104729ULL,
			.pid = 19000 + i / 8,
			.tid = 19000 + i / 8,
			.size = sizeof(opened),
			.data = &opened,
			.schema = &schema,
			.comm = i / 8 % 2 ? "cc1plus" : "as",
		};

		snprintf(opened.path, sizeof(opened.path), "/usr/lib/x86_64-linux-gnu/lib%u.so",
			 i * 2654435761u % 1000);
		if (peat_batch__add(batch, &event))
			parts__fail("no memory");
	}
	return batch;
}

struct measured {
	struct piece_encoder *encoder;
	struct peat_batch *batch;
	struct strbuf bytes;
};

static const struct peat_origin origin = { .run = 1, .number = 1, .first = 1 };

static void encode(struct measured *measured)
{
	strbuf__cut(&measured->bytes, 0);
	if (piece__encode(measured->encoder, measured->batch, &origin, &measured->bytes))
		parts__fail("cannot encode a batch");
}

static void decode(struct measured *measured)
{
	struct peat_batch *batch = piece__decode(measured->bytes.bytes, measured->bytes.count,
						 PIECE_DECODED_MOST, NULL);

	if (!batch)
		parts__fail("cannot decode a piece");
	peat_batch__unref(batch);
}

static uint64_t cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Nanoseconds of an event. */
static double time_of(void (*run)(struct measured *), struct measured *measured)
{
	uint64_t start_ns = cpu_ns(), passed_ns = 0, count = 0;

	for (; passed_ns < PIECE_RUN_NS; passed_ns = cpu_ns() - start_ns) {
		run(measured);
		count += peat_batch__events(measured->batch);
	}
	return (double)passed_ns / (double)count;
}

static void measure_size(struct bench_table *table, const char *name, unsigned events)
{
	struct measured measured = { .encoder = piece_encoder__new("host", 1),
				     .batch = make_batch(events) };
	const struct bench_place place = { "piece", name, "" };

	if (!measured.encoder || !measured.batch)
		parts__fail("no memory");
	for (int i = 0; i < PIECE_ROUNDS; i++) {
		double encode_ns = time_of(encode, &measured);

		bench_table__add(table, &place, "size of an event", "bytes",
				 (double)measured.bytes.count / events);
		bench_table__add(table, &place, "encode", "ns", encode_ns);
		bench_table__add(table, &place, "decode", "ns", time_of(decode, &measured));
	}
	peat_batch__unref(measured.batch);
	piece_encoder__free(measured.encoder);
	strbuf__free(&measured.bytes);
}

void parts_piece__measure(struct bench_table *table)
{
	measure_size(table, "1 event", 1);
	measure_size(table, "10 events", 10);
	measure_size(table, "100 events", 100);
	measure_size(table, "1000 events", 1000);
}
