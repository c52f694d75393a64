/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/frame_row.h: rows of like events in a frame, for a loop without a call per event.
 *
 * A row is events of one type and size that follow each other, as most do.  The next event is where
 * it would be if it were like the last one, so the processor need not wait for the last one's size:
 * that wait is the cost of frame__step().
 */
#ifndef PEAT_EVENT_FRAME_ROW_H
#define PEAT_EVENT_FRAME_ROW_H

#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#define FRAME_ROW_ALIGN 8u

struct frame_row {
	uint32_t size_and_type; /* the first half of an event's head */
	uint32_t before;	/* bytes from the head to the payload */
	size_t step;		/* bytes from one event to the next; SIZE_MAX: no row */
};

/* `bytes` rounded up by the padding, of which the last event may lack some: at most `left`. */
static inline size_t frame_row__padded(size_t bytes, size_t left)
{
	size_t step = (bytes + FRAME_ROW_ALIGN - 1) & ~(size_t)(FRAME_ROW_ALIGN - 1);

	if (__builtin_expect(step > left, 0))
		return left;
	return step;
}

/* Bytes from an event's head to its payload. */
static inline uint32_t frame_row__before(uint16_t type)
{
	uint32_t before = sizeof(struct peat_event_head);

	if (type & PEAT_EVENT_IDS)
		before += sizeof(struct peat_event_ids);
	if (__builtin_expect(type & PEAT_EVENT_OWNER, 0))
		before += sizeof(struct peat_event_owner);
	return before;
}

/* Reads what is behind an event's head.  False: the user and the cgroup are not known. */
static inline bool frame_row__read_owner(struct peat_event_owner *owner, const void *at)
{
	memcpy(owner, at, sizeof(*owner));
	return owner->uid != PEAT_NO_UID;
}

/* Begins a row with the event at `at`, which frame__step() has decoded; it may lack padding. */
static inline void frame_row__begin(struct frame_row *row, const void *at)
{
	struct peat_event_head head;

	memcpy(&head, at, sizeof(head));
	memcpy(&row->size_and_type, at, sizeof(row->size_and_type));
	row->before = frame_row__before(head.type);
	row->step = frame_row__padded(row->before + head.size, SIZE_MAX);
}

/* Returns the head of the next event if it is complete and belongs to the row; NULL: no change. */
static inline const unsigned char *frame_row__next(const struct frame_row *row,
						   struct peat_frame *frame)
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

#endif /* PEAT_EVENT_FRAME_ROW_H */
