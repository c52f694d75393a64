// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/metrics.c: appends the points of a batch as metrics. */
#include <math.h>

#include "otlp/attribute.h"
#include "otlp/envelope.h"
#include "otlp/metrics.h"

/* Field numbers: of Metric; of Sum, Gauge and histograms; of all data points. */
enum {
	NAME = 1,
	DESCRIPTION = 2,
	UNIT = 3,
	GAUGE = 5,
	SUM = 7,
	HISTOGRAM = 9,
	EXPONENTIAL_HISTOGRAM = 10
};
enum { DATA_POINTS = 1, TEMPORALITY = 2, IS_MONOTONIC = 3 };
enum { START_TIME = 2, TIME = 3 };

/* Field numbers of NumberDataPoint. */
enum { AS_DOUBLE = 4, AS_INT = 6, NUMBER_ATTRIBUTES = 7 };

/* Field numbers of both histograms' data points, and of each. */
enum { COUNT = 4, TOTAL = 5 };
enum { BUCKET_COUNTS = 6, EXPLICIT_BOUNDS = 7, HISTOGRAM_ATTRIBUTES = 9 };
enum { EXPONENTIAL_ATTRIBUTES = 1, SCALE = 6, ZERO_COUNT = 7, POSITIVE = 8, ZERO_THRESHOLD = 14 };
enum { OFFSET = 1, EXPONENTIAL_COUNTS = 2 }; /* of Buckets */

enum { CUMULATIVE = 2 };

/* Numbers are below 2^64: those above this bound are all in the bucket up to the next one. */
#define LAST_BOUND 0x1p63

/* ---- data points ----------------------------------------------------------------------------- */

static void append_labels(struct strbuf *out, uint32_t in, const struct peat_point *point)
{
	for (uint32_t i = 0; i < point->label_count; i++)
		otlp_attribute__text(out, in, point->labels[i].name, point->labels[i].value);
}

static void append_times(struct strbuf *out, const struct peat_point *point)
{
	if (point->kind != PEAT_POINT_GAUGE)
		protobuf__fixed64(out, START_TIME, point->start_ns);
	protobuf__fixed64(out, TIME, point->time_ns);
}

static void append_number(struct strbuf *out, const struct peat_point *point)
{
	append_labels(out, NUMBER_ATTRIBUTES, point);
	append_times(out, point);
	if (point->kind == PEAT_POINT_GAUGE)
		protobuf__double(out, AS_DOUBLE, point->value);
	else if (point->count <= INT64_MAX)
		protobuf__fixed64(out, AS_INT, point->count);
	else
		protobuf__double(out, AS_DOUBLE, (double)point->count);
}

static void append_count_and_sum(struct strbuf *out, const struct peat_point *point)
{
	append_times(out, point);
	protobuf__fixed64(out, COUNT, point->count);
	if (!isnan(point->value))
		protobuf__double(out, TOTAL, point->value);
}

static void append_explicit(struct strbuf *out, const struct peat_point *point)
{
	struct protobuf_mark mark;
	uint64_t bits;

	append_labels(out, HISTOGRAM_ATTRIBUTES, point);
	append_count_and_sum(out, point);
	mark = protobuf__begin(out, BUCKET_COUNTS, 1);
	for (uint32_t i = 0; i < point->bucket_count; i++)
		protobuf__bare_fixed64(out, point->buckets[i].count);
	protobuf__end(out, mark);
	mark = protobuf__begin(out, EXPLICIT_BOUNDS, 1);
	for (uint32_t i = 0; i + 1 < point->bucket_count; i++) {
		memcpy(&bits, &point->buckets[i].upper, sizeof(bits));
		protobuf__bare_fixed64(out, bits);
	}
	protobuf__end(out, mark);
}

/* Bounds alone decide, so a metric never changes its type. */
static bool is_exponential(const struct peat_point *point)
{
	const uint32_t bounds = point->bucket_count - 1;
	int exponent;

	if (bounds < 2 || point->buckets[bounds - 1].upper != LAST_BOUND ||
	    frexp(point->buckets[0].upper, &exponent) != 0.5)
		return false;
	for (uint32_t i = 1; i < bounds; i++)
		if (point->buckets[i].upper != 2 * point->buckets[i - 1].upper)
			return false;
	return true;
}

/* The buckets after the first one, without empty ones at both ends. */
static void append_exponential_buckets(struct strbuf *out, const struct peat_point *point)
{
	uint32_t first = 1, end = point->bucket_count;
	struct protobuf_mark buckets, counts;
	int exponent;

	while (end > first && !point->buckets[end - 1].count)
		end--;
	while (first < end && !point->buckets[first].count)
		first++;
	if (first == end)
		return;
	frexp(point->buckets[0].upper, &exponent);
	buckets = protobuf__begin(out, POSITIVE, 1);
	/* Bucket i has the numbers above 2^i, up to 2^(i+1); frexp() has 0.5 for a power of 2. */
	protobuf__zigzag(out, OFFSET, exponent - 1 + (int)first - 1);
	counts = protobuf__begin(out, EXPONENTIAL_COUNTS, 1);
	for (uint32_t i = first; i < end; i++)
		protobuf__bare_varint(out, point->buckets[i].count);
	protobuf__end(out, counts);
	protobuf__end(out, buckets);
}

/* The first bucket, which begins at 0, is that of numbers near zero. */
static void append_exponential(struct strbuf *out, const struct peat_point *point)
{
	append_labels(out, EXPONENTIAL_ATTRIBUTES, point);
	append_count_and_sum(out, point);
	protobuf__zigzag(out, SCALE, 0);
	protobuf__fixed64(out, ZERO_COUNT, point->buckets[0].count);
	append_exponential_buckets(out, point);
	protobuf__double(out, ZERO_THRESHOLD, point->buckets[0].upper);
}

/* ---- metrics --------------------------------------------------------------------------------- */

struct data {
	uint32_t field; /* of Metric */
	void (*append)(struct strbuf *out, const struct peat_point *point);
};

static struct data data_of(const struct peat_point *point)
{
	switch (point->kind) {
	case PEAT_POINT_COUNTER:
		return (struct data){ SUM, append_number };
	case PEAT_POINT_GAUGE:
		return (struct data){ GAUGE, append_number };
	case PEAT_POINT_HISTOGRAM:
		break;
	}
	return is_exponential(point) ? (struct data){ EXPONENTIAL_HISTOGRAM, append_exponential }
				     : (struct data){ HISTOGRAM, append_explicit };
}

static bool is_same_metric(const struct peat_point *a, const struct peat_point *b)
{
	return !strcmp(a->name, b->name) && data_of(a).field == data_of(b).field;
}

/* Appends a metric of the point and those after it that belong to it; stores the next point. */
static bool append_metric(struct strbuf *out, const struct peat_batch *batch,
			  struct peat_batch_cursor *at, struct peat_point *point)
{
	struct protobuf_mark metric = protobuf__begin(out, OTLP_SCOPE_ENTRIES, 2), data, entry;
	const struct data form = data_of(point);
	const struct peat_point first = *point;
	bool is_more;

	protobuf__text(out, NAME, first.name);
	if (first.doc)
		protobuf__text(out, DESCRIPTION, first.doc);
	if (first.unit)
		protobuf__text(out, UNIT, first.unit);
	data = protobuf__begin(out, form.field, 2);
	if (first.kind != PEAT_POINT_GAUGE)
		protobuf__varint(out, TEMPORALITY, CUMULATIVE);
	if (first.kind == PEAT_POINT_COUNTER)
		protobuf__varint(out, IS_MONOTONIC, true);
	do {
		entry = protobuf__begin(out, DATA_POINTS, 1);
		form.append(out, point);
		protobuf__end(out, entry);
		is_more = peat_batch__next_point(batch, at, point);
	} while (is_more && is_same_metric(&first, point));
	protobuf__end(out, data);
	protobuf__end(out, metric);
	return is_more;
}

void otlp_metrics__append(struct strbuf *out, const struct strbuf *resource,
			  const struct peat_batch *batch)
{
	struct otlp_envelope envelope = otlp_envelope__begin(out, resource, batch);
	struct peat_point point = { .sz = sizeof(point) };
	struct peat_batch_cursor at = PEAT_BATCH_START;
	bool is_more = peat_batch__next_point(batch, &at, &point);

	while (is_more)
		is_more = append_metric(out, batch, &at, &point);
	otlp_envelope__end(out, envelope);
}
