// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fake_ring.c: a perf ring in plain memory. */
#include <stdlib.h>
#include <string.h>

#include "fake_ring.h"

void fake_ring__init(struct fake_ring *fake, uint64_t ring_bytes, uint64_t position)
{
	fake->page = calloc(1, sizeof(*fake->page));
	fake->data = malloc(ring_bytes + RING_SLACK_BYTES);
	fake->ring_bytes = ring_bytes;
	if (!fake->page || !fake->data)
		abort();
	memset(fake->data, 0xee, ring_bytes + RING_SLACK_BYTES);
	fake->page->data_head = fake->page->data_tail = position;
}

void fake_ring__free(struct fake_ring *fake)
{
	free(fake->page);
	free(fake->data);
}

void fake_ring__write(struct fake_ring *fake, const void *bytes, uint64_t count)
{
	const unsigned char *from = bytes;

	for (uint64_t i = 0; i < count; i++)
		fake->data[(fake->page->data_head + i) & (fake->ring_bytes - 1)] = from[i];
	fake->page->data_head += count;
}

static void fill(unsigned char *record, uint32_t size, unsigned seed)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = (uint16_t)size };

	memcpy(record, &header, sizeof(header));
	for (uint32_t i = sizeof(header); i < size; i++)
		record[i] = (unsigned char)(seed * 31 + i * 7 + (i >> 8));
}

bool fake_ring__record(struct fake_ring *fake, uint32_t size, unsigned seed)
{
	unsigned char record[65536];

	if (fake->page->data_head - fake->page->data_tail + size > fake->ring_bytes)
		return false;
	fill(record, size, seed);
	fake_ring__write(fake, record, size);
	return true;
}

void fake_ring__record_backward(struct fake_ring *fake, uint32_t size, unsigned seed)
{
	unsigned char record[65536];

	fill(record, size, seed);
	fake->page->data_head -= size;
	fake_ring__write(fake, record, size);
	fake->page->data_head -= size;
}

bool fake_ring__is(const struct perf_event_header *record, uint32_t size, unsigned seed)
{
	unsigned char wanted[65536];

	if (!record || record->size != size)
		return false;
	fill(wanted, size, seed);
	return !memcmp(record, wanted, size);
}
