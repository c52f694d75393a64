/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* snapshot/frames.h: the frames of one stream, a slot of a CPU, and their events in sequence. */
#ifndef PEAT_SNAPSHOT_FRAMES_H
#define PEAT_SNAPSHOT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <peat/frame.h>

/* A frame, and the number of its events. */
struct frame_at {
	const unsigned char *bytes;
	size_t bytes_count;
	uint64_t seq;	  /* number of the first event that is used */
	uint64_t end_seq; /* number after the last valid event */
	uint32_t unused;  /* older events at the start of the frame */
	uint32_t used;	  /* events after those */
	uint64_t last_ns; /* the newest of them */
};

struct frames {
	struct frame_at *frames; /* by sequence */
	uint32_t count, room;
	uint32_t corrupt; /* frames with invalid bytes; their valid events are used */

	/* The event that is next, after frames__next(). */
	struct peat_frame frame;
	struct peat_frame_event event;
	uint32_t at; /* the frame after the present one */
};

/*
 * Adds a frame of the stream, which has to live as long; events before from_ns are not used.
 * Frames without a used event are not added.  0, -EBADMSG: invalid, or -ENOMEM.
 */
int frames__add(struct frames *frames, const void *bytes, size_t count, uint64_t from_ns);

/*
 * For the frame at `bytes`, which was collected from the stage before the ring was copied: if the
 * frames that followed it were overwritten meanwhile, removes it.
 */
void frames__drop_outdated(struct frames *frames, const void *bytes);

/* Sets frames->event to the next event.  False: there is none. */
bool frames__next(struct frames *frames);

void frames__free(struct frames *frames); /* accepts zeroes */

#endif /* PEAT_SNAPSHOT_FRAMES_H */
