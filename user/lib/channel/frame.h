/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* frame_step.h: the way from one event of a frame to the next, for loops that do without a call. */
#ifndef FRAME_STEP_H
#define FRAME_STEP_H

#include <errno.h>
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#define FRAME_EVENT_ALIGN 8u

/*
 * Room for one more head is more than padding: the count lies, or the last size does.  No frame has
 * a count of 0 but one that peat_frame__open() refused.
 */
static inline int frame__answer_at_end(const struct peat_frame *frame)
{
	if (frame->count == 0 || (size_t)(frame->end - frame->at) >= FRAME_EVENT_ALIGN)
		return -EBADMSG;
	return 0;
}

/* How far an event of `bytes` bytes reaches, in `left`: of the last one padding may be missing. */
static inline size_t frame__padded(size_t bytes, size_t left)
{
	size_t step = (bytes + FRAME_EVENT_ALIGN - 1) & ~(size_t)(FRAME_EVENT_ALIGN - 1);

	if (__builtin_expect(step > left, 0))
		return left;
	return step;
}

/*
 * peat_frame__next(), but for errno.  What it costs is the way from one event's size to the next
 * one's place, hence tests that can be predicted instead of minima.  A failure changes nothing, so
 * that the next call fails alike.  memcpy() is a plain load where the machine can load unaligned.
 */
static inline __attribute__((always_inline)) int frame__step(struct peat_frame *frame,
							     struct peat_frame_event *event)
{
	const unsigned char *at = frame->at;
	size_t left = (size_t)(frame->end - at), before = sizeof(struct peat_event_head), bytes;
	struct peat_event_ids ids = { 0, 0 };
	struct peat_event_head head;
	bool has_ids;

	if (__builtin_expect(frame->taken == frame->count, 0))
		return frame__answer_at_end(frame);
	if (__builtin_expect(left < sizeof(head), 0))
		return -EBADMSG;
	memcpy(&head, at, sizeof(head));
	has_ids = head.type & PEAT_EVENT_IDS;
	if (has_ids)
		before += sizeof(ids);
	bytes = before + head.size;
	if (__builtin_expect(left < bytes, 0))
		return -EBADMSG;
	if (has_ids)
		memcpy(&ids, at + sizeof(head), sizeof(ids));
	event->time_ns = frame->time_ns + head.delta_ns;
	event->seq = frame->seq + frame->taken++;
	event->data = at + before;
	event->size = head.size;
	event->type = head.type & PEAT_EVENT_TYPE;
	event->tgid = ids.tgid;
	event->tid = ids.tid;
	event->has_ids = has_ids;
	frame->at = at + frame__padded(bytes, left);
	return 1;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/*
 * Events of one type and size, one behind the other, as most are.  The next one is where it would
 * be if it were like the last one, which can be looked at before anything of it is known: the
 * processor need not wait for its size, which is what frame__step() costs.
 */
struct frame_row {
	uint32_t size_and_type; /* the first half of a head */
	uint32_t before;	/* bytes, from there to the payload */
	size_t step;		/* from one event to the next; SIZE_MAX: there is no row */
};

/* Of the event at `at`, which frame__step() has passed; its padding may be missing. */
static inline void frame__begin_row(struct frame_row *row, const void *at)
{
	struct peat_event_head head;

	memcpy(&head, at, sizeof(head));
	memcpy(&row->size_and_type, at, sizeof(row->size_and_type));
	row->before = sizeof(head);
	if (head.type & PEAT_EVENT_IDS)
		row->before += sizeof(struct peat_event_ids);
	row->step = frame__padded(row->before + head.size, SIZE_MAX);
}

/* The next event, its head, if it is of the row and all of it is there; NULL: nothing was done. */
static inline const unsigned char *frame__next_of_row(struct peat_frame *frame,
						      const struct frame_row *row)
{
	const unsigned char *at = frame->at;
	uint32_t size_and_type;

	if (frame->taken == frame->count || (size_t)(frame->end - at) < row->step)
		return NULL;
	memcpy(&size_and_type, at, sizeof(size_and_type));
	if (size_and_type != row->size_and_type)
		return NULL;
	frame->at = at + row->step;
	frame->taken++;
	return at;
}

#endif /* FRAME_STEP_H */
