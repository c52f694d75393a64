/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * frame.h: the events of a frame.  Pure: bytes in, values out; for readers other than peat's as
 * well.  The format is in wire.h.
 *
 *	struct peat_frame frame;
 *	struct peat_frame_event event;
 *
 *	if (!peat_frame__open(&frame, raw, raw_bytes))
 *		while (peat_frame__next(&frame, &event) > 0)
 *			use(event.type, event.data, event.size);
 */
#ifndef PEAT_FRAME_H
#define PEAT_FRAME_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* A frame while it is taken apart; all but the last three members may be read. */
struct peat_frame {
	uint64_t time_ns; /* of the first event */
	uint64_t seq;	  /* number of the first event in its stream */
	uint32_t count;	  /* events in the frame, or so it says */
	uint32_t slot;	  /* the stream: this slot of the CPU that the record came from */
	uint32_t taken;	  /* events handed out */
	uint32_t reserved;
	const unsigned char *at, *end;
};

struct peat_frame_event {
	uint64_t time_ns;
	uint64_t seq;
	const void *data;   /* inside the frame; 8-byte aligned if the frame lies at 4 mod 8 */
	uint32_t size;	    /* exact */
	uint32_t type;	    /* without PEAT_EVENT_IDS */
	uint32_t tgid, tid; /* 0 unless has_ids */
	bool has_ids;
};

/*
 * Begins with the frame at `bytes`, of which bytes_len may be read; any alignment will do.
 *
 * 0, or -EBADMSG for what is no frame of this version: how many events are lost with it is unknown,
 * frame->count is 0, and peat_frame__next() fails on it as well.
 */
PEAT_API int peat_frame__open(struct peat_frame *frame, const void *bytes, size_t bytes_len);

/*
 * 1: the next event.  0: that was all.  -EBADMSG: the frame lies from here on; frame->count -
 * frame->taken events are lost with it.  Stays at 0 or -EBADMSG, and leaves *event alone then.
 *
 * The padding of the last event may be missing, in whole or in part, and up to 7 bytes may follow
 * it, as the kernel pads too.  More than that is -EBADMSG once all `count` events were handed out:
 * a length lies somewhere, though of the events that the frame owns up to none is lost.  Those that
 * it hides show as a gap before the `seq` of the next frame.
 */
PEAT_API int peat_frame__next(struct peat_frame *frame, struct peat_frame_event *event);

PEAT_END_DECLS

#endif /* PEAT_FRAME_H */
