// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* frame.c: decodes the events of a frame. */
#include <stdio.h>
#include <string.h>

#include <peat/frame.h>

#include "parts.h"
#include "frames.h"

#define FRAMES 64 /* about an eighth of a ring of the default size */

struct frames {
	bool has_ids;
	size_t bytes;
	unsigned char memory[FRAMES][4 + PARTS_FRAME_BYTES] __attribute__((aligned(8)));
	uint64_t sum;
};

static void fill(struct frames *frames, bool has_ids)
{
	frames->has_ids = has_ids;
	for (uint32_t i = 0; i < FRAMES; i++)
		frames->bytes = parts_frames__make(frames->memory[i] + 4, has_ids, i);
}

static uint64_t read_checked(void *context)
{
	struct frames *frames = context;
	uint64_t count = 0;

	for (size_t i = 0; i < FRAMES; i++) {
		struct peat_frame frame = { .sz = sizeof(frame) };
		struct peat_frame_event event = { .sz = sizeof(event) };

		peat_frame__open(&frame, frames->memory[i] + 4, frames->bytes);
		while (peat_frame__next(&frame, &event) > 0) {
			frames->sum += *(const uint64_t *)event.data;
			count++;
		}
	}
	return count;
}

/* Trusts all lengths and makes no event: the cost of reading the bytes alone. */
static uint64_t read_unchecked(void *context)
{
	struct frames *frames = context;
	uint64_t count = 0;

	for (size_t i = 0; i < FRAMES; i++) {
		const unsigned char *at = frames->memory[i] + 4 + PEAT_FRAME_HEAD_BYTES;
		const unsigned char *end = frames->memory[i] + 4 + frames->bytes;

		while (at < end) {
			struct peat_event_head head;
			uint64_t first;

			memcpy(&head, at, sizeof(head));
			at += sizeof(head);
			at += head.type & PEAT_EVENT_IDS ? sizeof(struct peat_event_ids) : 0;
			memcpy(&first, at, sizeof(first));
			frames->sum += first;
			at += (head.size + 7u) & ~7u;
			count++;
		}
	}
	return count;
}

void parts_frame__measure(struct bench_table *table)
{
	static struct frames frames;
	const struct part parts[] = {
		{ "peat", "peat_frame__next()", "event", "ns", NULL, read_checked, &frames },
		{ "a loop", "unchecked", "event", "ns", NULL, read_unchecked, &frames },
	};

	fill(&frames, true);
	parts__measure(table, "frame, with ids", parts, 2);
	fill(&frames, false);
	parts__measure(table, "frame, without", parts, 2);
}
