/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/frame.c: the public decoder of frames, event by event. */
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#include "base/errors.h"
#include "base/opts.h"
#include "channel/frame.h"

_Static_assert(sizeof(struct peat_frame_head) == PEAT_FRAME_HEAD_BYTES, "frame head");
_Static_assert(sizeof(struct peat_event_head) == PEAT_HEAD_ALONE, "event head");
_Static_assert(sizeof(struct peat_event_ids) == PEAT_HEAD_WITH_IDS - PEAT_HEAD_ALONE, "event ids");
_Static_assert(sizeof(struct peat_event_owner) == PEAT_HEAD_WITH_OWNER - PEAT_HEAD_WITH_IDS,
	       "event owner");

int peat_frame__open(struct peat_frame *frame, const void *bytes, size_t bytes_len)
{
	struct peat_frame_head head;
	int err = opts__check_size(frame, sizeof(*frame), "peat_frame");

	if (err)
		return fail(err);
	memset((unsigned char *)frame + sizeof(frame->sz), 0, sizeof(*frame) - sizeof(frame->sz));
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

int peat_frame__next(struct peat_frame *frame, struct peat_frame_event *event)
{
	int more = opts__check_size(event, sizeof(*event), "peat_frame_event");

	if (!more)
		more = frame__step(frame, event);

	return more < 0 ? fail(more) : more;
}
