/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * frame.c: a frame taken apart, event by event.
 */
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#include "internal.h"

#define EVENT_ALIGN 8u

_Static_assert(sizeof(struct peat_frame_head) == PEAT_FRAME_HEAD_BYTES, "frame head");
_Static_assert(sizeof(struct peat_event_head) == 8, "event head");
_Static_assert(sizeof(struct peat_event_ids) == 8, "event ids");

int peat_frame__open(struct peat_frame *frame, const void *bytes, size_t bytes_len)
{
	struct peat_frame_head head;

	memset(frame, 0, sizeof(*frame));
	if (bytes_len < sizeof(head))
		return fail(-EBADMSG);
	memcpy(&head, bytes, sizeof(head));
	if (head.version != PEAT_WIRE_VERSION || head.count == 0)
		return fail(-EBADMSG);
	frame->time_ns = head.time_ns;
	frame->seq = head.seq;
	frame->count = head.count;
	frame->slot = head.flags & PEAT_FRAME_SLOT;
	frame->at = (const unsigned char *)bytes + sizeof(head);
	frame->end = (const unsigned char *)bytes + bytes_len;
	return 0;
}

/*
 * Room for one more head is more than padding: the count lies, or the last size does.  No frame has
 * a count of 0 but one that peat_frame__open() refused.
 */
static int answer_at_end(const struct peat_frame *frame)
{
	if (frame->count == 0 || (size_t)(frame->end - frame->at) >= EVENT_ALIGN)
		return fail(-EBADMSG);
	return 0;
}

/* How far an event of `bytes` bytes reaches, in `left`: of the last one padding may be missing. */
static size_t padded(size_t bytes, size_t left)
{
	size_t step = (bytes + EVENT_ALIGN - 1) & ~(size_t)(EVENT_ALIGN - 1);

	if (__builtin_expect(step > left, 0))
		return left;
	return step;
}

/*
 * Runs for every event.  What it costs is the way from one event's size to the next one's place,
 * hence tests that can be predicted instead of minima.  A failure changes nothing, so that the next
 * call fails alike.  memcpy() is a plain load where the machine can load unaligned.
 */
int peat_frame__next(struct peat_frame *frame, struct peat_frame_event *event)
{
	const unsigned char *at = frame->at;
	size_t left = (size_t)(frame->end - at), before = sizeof(struct peat_event_head), bytes;
	struct peat_event_ids ids = { 0, 0 };
	struct peat_event_head head;
	bool has_ids;

	if (__builtin_expect(frame->taken == frame->count, 0))
		return answer_at_end(frame);
	if (__builtin_expect(left < sizeof(head), 0))
		return fail(-EBADMSG);
	memcpy(&head, at, sizeof(head));
	has_ids = head.type & PEAT_EVENT_IDS;
	if (has_ids)
		before += sizeof(ids);
	bytes = before + head.size;
	if (__builtin_expect(left < bytes, 0))
		return fail(-EBADMSG);
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
	frame->at = at + padded(bytes, left);
	return 1;
}
