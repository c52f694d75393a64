// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/point_bytes.c: writes a point as bytes, and reads it from bytes that may be anything. */
#include <errno.h>
#include <stdlib.h>

#include "piece/point_bytes.h"
#include "piece/wire.h"

#define LABEL_LEAST  (2 * sizeof(uint32_t)) /* bytes */
#define BUCKET_BYTES (2 * sizeof(uint64_t))

static void put_double(struct strbuf *out, double value)
{
	strbuf__bytes(out, &value, sizeof(value));
}

void point_bytes__put(const struct peat_point *point, struct strbuf *out)
{
	store_u32(out, point->kind);
	store_u32(out, point->label_count);
	store_u32(out, point->bucket_count);
	store_u64(out, point->start_ns);
	store_u64(out, point->time_ns);
	store_u64(out, point->count);
	put_double(out, point->value);
	wire__put_text(out, point->name);
	wire__put_text(out, point->unit);
	wire__put_text(out, point->doc);
	for (uint32_t i = 0; i < point->label_count; i++) {
		wire__put_text(out, point->labels[i].name);
		wire__put_text(out, point->labels[i].value);
	}
	for (uint32_t i = 0; i < point->bucket_count; i++) {
		put_double(out, point->buckets[i].upper);
		store_u64(out, point->buckets[i].count);
	}
}

static double read_double(struct cursor *cur)
{
	uint64_t bits = cursor__u64(cur);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void read_labels(struct cursor *cur, struct peat_label *labels, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		labels[i].name = wire__read_text(cur);
		labels[i].value = wire__read_text(cur);
	}
}

static void read_buckets(struct cursor *cur, struct peat_bucket *buckets, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		buckets[i].upper = read_double(cur);
		buckets[i].count = cursor__u64(cur);
	}
}

static void read_fixed(struct cursor *cur, struct peat_point *point)
{
	point->kind = cursor__u32(cur);
	point->label_count = cursor__u32(cur);
	point->bucket_count = cursor__u32(cur);
	point->start_ns = cursor__u64(cur);
	point->time_ns = cursor__u64(cur);
	point->count = cursor__u64(cur);
	point->value = read_double(cur);
	point->name = wire__read_text(cur);
	point->unit = wire__read_text(cur);
	point->doc = wire__read_text(cur);
}

int point_bytes__add(const void *bytes, size_t count, struct peat_batch *batch)
{
	static const struct peat_layout layout;
	struct peat_point point = { .sz = sizeof(point) };
	struct peat_label *labels;
	struct peat_bucket *buckets;
	struct cursor cur;
	int err = -ENOMEM;

	cursor__init(&cur, bytes, (const uint8_t *)bytes + count, &layout);
	read_fixed(&cur, &point);
	if (cur.bad || point.label_count > cursor__left(&cur) / LABEL_LEAST ||
	    point.bucket_count > cursor__left(&cur) / BUCKET_BYTES)
		return -EBADMSG;
	point.labels = labels = calloc(point.label_count + 1, sizeof(*labels));
	point.buckets = buckets = calloc(point.bucket_count + 1, sizeof(*buckets));
	if (labels && buckets) {
		read_labels(&cur, labels, point.label_count);
		read_buckets(&cur, buckets, point.bucket_count);
		err = cur.bad || cursor__left(&cur) ? -EBADMSG
						    : peat_batch__add_point(batch, &point);
	}
	free(labels);
	free(buckets);
	return err;
}
