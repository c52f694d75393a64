/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* frames.h: makes frames of 16-byte events, as a channel sends them at its default batch_bytes. */
#ifndef BENCH_PARTS_FRAMES_H
#define BENCH_PARTS_FRAMES_H

#include <stdbool.h>
#include <string.h>

#include <peat/wire.h>

#define PARTS_FRAME_BYTES (PEAT_FRAME_HEAD_BYTES + 4096)
#define PARTS_EVENT_BYTES 16
#define PARTS_TYPE	  1

static inline unsigned char *parts_frames__event(unsigned char *at, bool has_ids, uint64_t number)
{
	struct peat_event_head head = { PARTS_EVENT_BYTES, PARTS_TYPE, (unsigned)number };
	struct peat_event_ids ids = { 100, 101 };
	uint64_t payload[2] = { number, 1 };

	head.type |= has_ids ? PEAT_EVENT_IDS : 0;
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	if (has_ids) {
		memcpy(at, &ids, sizeof(ids));
		at += sizeof(ids);
	}
	memcpy(at, payload, sizeof(payload));
	return at + sizeof(payload);
}

/* Fills a frame with events.  `i`: index of the frame in its stream.  Returns its length. */
static inline size_t parts_frames__make(unsigned char *bytes, bool has_ids, uint64_t i)
{
	size_t each = sizeof(struct peat_event_head) + PARTS_EVENT_BYTES +
		      (has_ids ? sizeof(struct peat_event_ids) : 0);
	uint64_t count = 4096 / each;
	struct peat_frame_head head = { .version = PEAT_WIRE_VERSION,
					.count = (unsigned short)count,
					.time_ns = 1000000000 + i * 1000000,
					.seq = i * count };
	unsigned char *at = bytes + PEAT_FRAME_HEAD_BYTES;

	memcpy(bytes, &head, sizeof(head));
	for (uint64_t n = 0; n < count; n++)
		at = parts_frames__event(at, has_ids, n);
	return (size_t)(at - bytes);
}

#endif /* BENCH_PARTS_FRAMES_H */
