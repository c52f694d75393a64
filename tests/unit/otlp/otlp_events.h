/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp_events.h: batches with events of many kinds of fields, made by hand. */
#ifndef TESTS_UNIT_OTLP_OTLP_EVENTS_H
#define TESTS_UNIT_OTLP_OTLP_EVENTS_H

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <peat/batch.h>

#include "support/machine/harness.h"
#include "unit/print/sink_output.h"

#define OTLP_WALL_CLOCK 1700000000000000000

struct opened {
	uint32_t ppid;
	int32_t result;
	uint64_t offset;
	char path[24];
	uint8_t digest[4];
	uint8_t from[4];
	uint32_t mode;
	uint32_t open_flags;
	double load;
	uint8_t is_root;
	struct {
		uint16_t port;
		int16_t level;
	} peer;
	uint16_t sizes[3];
	uint64_t delay;
};

static const struct peat_name opened_modes[] = { { 1, "READ" }, { 2, "WRITE" } };

static struct peat_field opened_fields[] = {
	FIELD(struct opened, ppid, PEAT_FIELD_UNSIGNED),
	FIELD(struct opened, result, PEAT_FIELD_ERRNO, .is_signed = true),
	FIELD(struct opened, offset, PEAT_FIELD_UNSIGNED),
	FIELD(struct opened, path, PEAT_FIELD_STRING),
	FIELD(struct opened, digest, PEAT_FIELD_BYTES),
	FIELD(struct opened, from, PEAT_FIELD_IPV4),
	FIELD(struct opened, mode, PEAT_FIELD_ENUM, .name_count = 2, .names = opened_modes),
	FIELD(struct opened, open_flags, PEAT_FIELD_FLAGS, .name_count = 2, .names = opened_modes),
	FIELD(struct opened, load, PEAT_FIELD_FLOAT),
	FIELD(struct opened, is_root, PEAT_FIELD_BOOL),
	{ .name = "peer",
	  .kind = PEAT_FIELD_STRUCT,
	  .span = 3,
	  .offset = offsetof(struct opened, peer),
	  .bytes = 4 },
	{ .name = "port", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .offset = 0, .bytes = 2 },
	{ .name = "level",
	  .kind = PEAT_FIELD_SIGNED,
	  .span = 1,
	  .offset = 2,
	  .bytes = 2,
	  .is_signed = true },
	{ .name = "sizes",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = offsetof(struct opened, sizes),
	  .bytes = 6,
	  .count = 3 },
	{ .name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 2 },
	FIELD(struct opened, delay, PEAT_FIELD_DURATION),
};

static struct peat_schema opened_schema = SCHEMA("opened", opened_fields);

static const struct opened opened_event = {
	.ppid = 1,
	.result = -ENOENT,
	.offset = UINT64_MAX,
	.path = "/etc/m\xc3\xb6td",
	.digest = { 0xde, 0xad, 0xbe, 0xef },
	.from = { 192, 0, 2, 1 },
	.mode = 2,
	.open_flags = 3,
	.load = 1.5,
	.is_root = 1,
	.peer = { 443, -7 },
	.sizes = { 1, 2, 300 },
	.delay = 1500000,
};

static inline struct peat_batch *new_batch(void)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts),
					.source = "files",
					.wall_clock_ns = OTLP_WALL_CLOCK };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

static inline void add_opened(struct peat_batch *batch, const struct opened *opened)
{
	struct peat_event event = an_event(&opened_schema, opened, sizeof(*opened));

	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
}

static inline struct peat_batch *batch_of(unsigned events)
{
	struct peat_batch *batch = new_batch();

	for (unsigned i = 0; i < events; i++)
		add_opened(batch, &opened_event);
	return batch;
}

static inline void add_lost(struct peat_batch *batch, uint64_t count)
{
	struct peat_event event = { .kind = PEAT_EVENT_LOST,
				    .cpu = 2,
				    .pid = PEAT_NO_TASK,
				    .tid = PEAT_NO_TASK,
				    .lost = count,
				    .cause = PEAT_LOST_RING_FULL };

	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
}

static inline void add_counter(struct peat_batch *batch, const char *name, const char *cpu,
			       uint64_t count)
{
	const struct peat_label label = { "cpu", cpu };
	struct peat_point point = { .sz = sizeof(point),
				    .kind = PEAT_POINT_COUNTER,
				    .label_count = 1,
				    .name = name,
				    .unit = "{event}",
				    .doc = "Events that were lost.",
				    .labels = &label,
				    .start_ns = OTLP_WALL_CLOCK,
				    .time_ns = OTLP_WALL_CLOCK + 1,
				    .count = count };

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
}

static inline void add_gauge(struct peat_batch *batch, double value)
{
	struct peat_point point = { .sz = sizeof(point),
				    .kind = PEAT_POINT_GAUGE,
				    .name = "peat.queue.bytes",
				    .unit = "By",
				    .time_ns = OTLP_WALL_CLOCK + 1,
				    .value = value };

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
}

static inline void add_histogram(struct peat_batch *batch, const char *name,
				 const struct peat_bucket *buckets, uint32_t count, double sum)
{
	struct peat_point point = { .sz = sizeof(point),
				    .kind = PEAT_POINT_HISTOGRAM,
				    .bucket_count = count,
				    .name = name,
				    .unit = "ns",
				    .start_ns = OTLP_WALL_CLOCK,
				    .time_ns = OTLP_WALL_CLOCK + 1,
				    .value = sum,
				    .buckets = buckets };

	for (uint32_t i = 0; i < count; i++)
		point.count += buckets[i].count;
	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
}

/* Bounds of 2^first to 2^63, with `each` numbers in all buckets but the first three. */
static inline void add_log2_histogram(struct peat_batch *batch, int first, uint64_t each)
{
	struct peat_bucket buckets[80];
	uint32_t count = 0;

	for (int i = first; i <= 63; i++)
		buckets[count++] = (struct peat_bucket){ ldexp(1, i), i < first + 3 ? 0 : each };
	buckets[count++] = (struct peat_bucket){ INFINITY, 0 };
	buckets[0].count = 5;
	add_histogram(batch, "peat.open.delay", buckets, count, NAN);
}

/* Adds different events until the batch is full. */
static inline void fill_batch(struct peat_batch *batch)
{
	struct opened opened = opened_event;
	struct peat_event event = an_event(&opened_schema, &opened, sizeof(opened));

	for (unsigned i = 0;; i++) {
		opened.ppid = i * 7919 % 32768;
		opened.delay = i * 104729ull % 100000000;
		opened.offset = i * 4096ull;
		snprintf(opened.path, sizeof(opened.path), "/var/lib/file-%u", i % 977);
		event.time_ns += 1000 + i % 997;
		event.pid = event.tid = 1000 + i % 311;
		if (peat_batch__add(batch, &event))
			return;
	}
}

#endif /* TESTS_UNIT_OTLP_OTLP_EVENTS_H */
