// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/backward.c: copying rings that overwrite their oldest records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring/backward.h"

uint32_t backward__scan(const void *bytes, size_t count, uint32_t *offsets, size_t *used_bytes)
{
	const unsigned char *at = bytes;
	uint32_t records = 0;
	size_t used = 0;

	while (count - used >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, at + used, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > count - used)
			break;
		if (offsets)
			offsets[records] = (uint32_t)used;
		records++;
		used += header.size;
	}
	*used_bytes = used;
	return records;
}

static void reverse(uint32_t *offsets, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t offset = offsets[i];

		offsets[i] = offsets[count - 1 - i];
		offsets[count - 1 - i] = offset;
	}
}

/* Copies `count` bytes from data_head on, which may wrap. */
static void copy_out(const struct ring *ring, unsigned char *bytes, size_t count)
{
	uint64_t ring_bytes = ring->mask + 1, offset = ring->limit & ring->mask;
	size_t first = ring_bytes - offset < count ? ring_bytes - offset : count;

	memcpy(bytes, ring->data + offset, first);
	memcpy(bytes + first, ring->data, count - first);
}

/* Nothing but an end by overwriting, or by `most_bytes`, cuts a record. */
static int find_records(struct backward_copy *copy, size_t count, bool is_cut)
{
	struct perf_event_header header = { 0 };

	copy->count = backward__scan(copy->bytes, count, NULL, &copy->used_bytes);
	copy->records = calloc(copy->count + 1, sizeof(*copy->records));
	if (!copy->records)
		return -ENOMEM;
	backward__scan(copy->bytes, count, copy->records, &copy->used_bytes);
	reverse(copy->records, copy->count);
	if (count - copy->used_bytes >= sizeof(header))
		memcpy(&header, copy->bytes + copy->used_bytes, sizeof(header));
	copy->is_corrupt = copy->used_bytes < count &&
			   (!is_cut || header.size < sizeof(header) || header.size % 8);
	return 0;
}

int backward__copy(struct ring *ring, uint64_t most_bytes, struct backward_copy *copy)
{
	uint64_t written, left;
	int err;

	*copy = (struct backward_copy){ .cpu = ring->cpu, .ring = ring };
	ring__read_head(ring);
	written = ring->tail - ring->limit;
	left = written > ring->mask + 1 ? ring->mask + 1 : written;
	left = left > most_bytes ? most_bytes & ~7ULL : left;
	copy->bytes = malloc(left + 1);
	if (!copy->bytes)
		return -ENOMEM;
	copy_out(ring, copy->bytes, left);
	err = find_records(copy, left, left < written);
	if (err) {
		backward__free(copy);
		return err;
	}
	copy->overwritten_bytes = written - copy->used_bytes;
	ring->tail = ring->limit;
	return 0;
}

void backward__skip(struct ring *ring)
{
	ring__read_head(ring);
	ring->tail = ring->limit;
}

void backward__free(struct backward_copy *copy)
{
	free(copy->bytes);
	free(copy->records);
	*copy = (struct backward_copy){ 0 };
}
