/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/frame.h: the decoder of frames as inline functions, for loops without a call. */
#ifndef PEAT_CHANNEL_FRAME_H
#define PEAT_CHANNEL_FRAME_H

#include <errno.h>
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#include "event/frame_row.h"

/* Whether it is a bell: an empty frame, which wakes a reader that sleeps (wire.h). */
static inline bool frame__is_bell(const void *bytes, size_t count)
{
	struct peat_frame_head head;

	if (count != sizeof(head))
		return false;
	memcpy(&head, bytes, sizeof(head));
	return head.version == PEAT_WIRE_VERSION && !head.count;
}

/*
 * 0, or -EBADMSG if the rest is larger than padding: the count or the last size is wrong.  Only
 * frames that peat_frame__open() refused have a count of 0.
 */
static inline int frame__result_at_end(const struct peat_frame *frame)
{
	if (frame->count == 0 || (size_t)(frame->end - frame->at) >= FRAME_ROW_ALIGN)
		return -EBADMSG;
	return 0;
}

/* Returns the name of the name record at `at`; NULL: it is another record, or not valid. */
static inline const char *frame__name(const unsigned char *at, size_t left)
{
	struct peat_task_name name;

	if (left < sizeof(name))
		return NULL;
	memcpy(&name, at, offsetof(struct peat_task_name, comm));
	if (__builtin_expect(name.type != PEAT_TASK_NAME || name.size != PEAT_COMM_BYTES, 1) ||
	    at[sizeof(name) - 1])
		return NULL;
	return (const char *)at + offsetof(struct peat_task_name, comm);
}

/* Skips the name of the event before, which frame_row__next() leaves out. */
static inline void frame__skip_name(struct peat_frame *frame)
{
	if (frame__name(frame->at, (size_t)(frame->end - frame->at)))
		frame->at += sizeof(struct peat_task_name);
}

static inline void frame__set_owner(struct peat_frame_event *event, const void *at)
{
	struct peat_event_owner owner;

	event->has_owner = frame_row__read_owner(&owner, at);
	if (!event->has_owner)
		return;
	event->uid = owner.uid;
	event->cgroup = owner.cgroup;
}

/*
 * peat_frame__next() without errno.  Its cost is the dependency of the next event's position on
 * this event's size, hence predictable branches instead of minima.  A failure changes nothing: the
 * next call fails alike.  memcpy() is a plain load on machines that can load unaligned.
 */
static inline __attribute__((always_inline)) int frame__step(struct peat_frame *frame,
							     struct peat_frame_event *event)
{
	const unsigned char *at = frame->at;
	size_t left = (size_t)(frame->end - at), before, bytes;
	struct peat_event_ids ids = { 0, 0 };
	struct peat_event_head head;
	bool has_ids, has_owner;

	if (__builtin_expect(frame->taken == frame->count, 0))
		return frame__result_at_end(frame);
	if (__builtin_expect(left < sizeof(head), 0))
		return -EBADMSG;
	memcpy(&head, at, sizeof(head));
	has_ids = head.type & PEAT_EVENT_IDS;
	has_owner = head.type & PEAT_EVENT_OWNER;
	before = frame_row__before(head.type);
	bytes = before + head.size;
	if (__builtin_expect(left < bytes || (has_owner && !has_ids), 0))
		return -EBADMSG;
	if (has_ids)
		memcpy(&ids, at + before - sizeof(ids), sizeof(ids));
	event->time_ns = frame->time_ns + head.delta_ns;
	event->seq = frame->seq + frame->taken++;
	event->data = at + before;
	event->size = head.size;
	event->type = head.type & PEAT_EVENT_TYPE;
	event->tgid = ids.tgid;
	event->tid = ids.tid;
	event->has_ids = has_ids;
	event->has_owner = false;
	event->uid = 0;
	event->cgroup = 0;
	if (__builtin_expect(has_owner, 0))
		frame__set_owner(event, at + sizeof(head));
	at += frame_row__padded(bytes, left);
	event->comm = frame__name(at, (size_t)(frame->end - at));
	frame->at = event->comm ? at + sizeof(struct peat_task_name) : at;
	return 1;
}

#endif /* PEAT_CHANNEL_FRAME_H */
