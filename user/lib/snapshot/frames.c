// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* snapshot/frames.c: finds, sorts and decodes the frames of a stream. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "channel/frame.h"
#include "snapshot/frames.h"

/* Frames mostly arrive in sequence. */
static void insert(struct frames *frames, const struct frame_at *frame)
{
	uint32_t at = frames->count++;

	for (; at && (int64_t)(frames->frames[at - 1].seq - frame->seq) > 0; at--)
		frames->frames[at] = frames->frames[at - 1];
	frames->frames[at] = *frame;
}

/* Decodes all events: the number of the valid ones is known only then. */
static int measure(struct frame_at *at, uint64_t from_ns)
{
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct peat_frame_event event;
	int more = peat_frame__open(&frame, at->bytes, at->bytes_count);

	if (more)
		return more;
	at->seq = frame.seq;
	while ((more = frame__step(&frame, &event)) > 0) {
		if (!at->used && event.time_ns < from_ns) {
			at->unused++;
			continue;
		}
		at->used++;
		at->last_ns = event.time_ns > at->last_ns ? event.time_ns : at->last_ns;
	}
	at->seq += at->unused;
	at->end_seq = frame.seq + frame.taken;
	return more;
}

int frames__add(struct frames *frames, const void *bytes, size_t count, uint64_t from_ns)
{
	struct frame_at frame = { .bytes = bytes, .bytes_count = count };
	int err = measure(&frame, from_ns);

	frames->corrupt += err != 0;
	if (!frame.used)
		return err;
	if (!ARRAY_RESERVE(frames->frames, frames->count, frames->room))
		return -ENOMEM;
	insert(frames, &frame);
	return err;
}

/* If it is not the first, the frames before it are older and were not overwritten either. */
void frames__drop_outdated(struct frames *frames, const void *bytes)
{
	struct frame_at *first = frames->frames;

	if (frames->count < 2 || first->bytes != bytes || first->end_seq == first[1].seq)
		return;
	frames->count--;
	memmove(first, first + 1, frames->count * sizeof(*first));
}

static void open_frame(struct frames *frames, const struct frame_at *at)
{
	frames->frame.sz = sizeof(frames->frame);
	peat_frame__open(&frames->frame, at->bytes, at->bytes_count);
	for (uint32_t i = 0; i < at->unused; i++)
		frame__step(&frames->frame, &frames->event);
}

bool frames__next(struct frames *frames)
{
	for (;;) {
		if (frames->frame.sz && frame__step(&frames->frame, &frames->event) > 0)
			return true;
		if (frames->at == frames->count)
			return false;
		open_frame(frames, &frames->frames[frames->at++]);
	}
}

void frames__free(struct frames *frames)
{
	free(frames->frames);
	*frames = (struct frames){ 0 };
}
