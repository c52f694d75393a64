/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * frame.h: decodes the events of a frame, for readers other than peat's too.  Pure: bytes in,
 * values out.  The format is in wire.h.
 *
 *	struct peat_frame frame = { .sz = sizeof(frame) };
 *	struct peat_frame_event event = { .sz = sizeof(event) };
 *
 *	if (!peat_frame__open(&frame, raw, raw_bytes))
 *		while (peat_frame__next(&frame, &event) > 0)
 *			use(event.type, event.data, event.size);
 */
#ifndef PEAT_FRAME_H
#define PEAT_FRAME_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* A frame while it is decoded.  Callers set `sz` once for any number of frames,
 * and may read all other members but the last three. */
struct peat_frame {
	size_t sz;	  /* sizeof(struct peat_frame), set by the caller */
	uint64_t time_ns; /* timestamp of the first event */
	uint64_t seq;	  /* number of the first event in its stream */
	uint32_t count;	  /* number of events, as stated by the frame */
	uint32_t slot;	  /* the stream: this slot of the CPU that wrote the record */
	uint32_t taken;	  /* number of events returned so far */
	uint32_t reserved;
	const unsigned char *at, *end;
};

struct peat_frame_event {
	size_t sz; /* sizeof(struct peat_frame_event), set by the caller */
	uint64_t time_ns;
	uint64_t seq;
	const void *data;   /* inside the frame; 8-byte aligned if the frame lies at 4 mod 8 */
	uint32_t size;	    /* exact number of bytes at `data` */
	uint32_t type;	    /* type number, without PEAT_EVENT_IDS */
	uint32_t tgid, tid; /* 0 unless has_ids */
	bool has_ids;
	bool has_owner;
	uint32_t uid;	  /* the task's user; 0 unless has_owner */
	uint64_t cgroup;  /* the id of the task's cgroup (v2); 0 unless has_owner */
	const char *comm; /* the task's name, inside the frame; NULL: the frame does not have it */
};

/*
 * Starts with the frame at `bytes`, which may have any alignment and may be read for `bytes_len`
 * bytes.
 *
 *	0		ready for peat_frame__next()
 *	-EBADMSG	not a frame of this version.  The number of events lost with it is
 *			unknown: frame->count is 0, and peat_frame__next() fails too.
 *	-EINVAL		frame->sz is not the size of the struct
 */
PEAT_API int peat_frame__open(struct peat_frame *frame, const void *bytes, size_t bytes_len);

/*
 * Returns the next event.
 *
 *	1		*event is set
 *	0		no more events
 *	-EBADMSG	the rest of the frame is invalid; frame->count - frame->taken events are
 *			lost with it
 *	-EINVAL		event->sz is not the size of the struct
 *
 * After 0 or -EBADMSG, further calls return the same.  Both leave *event unchanged.
 *
 * The padding of the last event may be missing, partly or wholly.  Up to 7 bytes may follow it,
 * since the kernel pads too.  More than that is -EBADMSG after all `count` events were returned:
 * some length is wrong, although no event is missing from the stated count.  Events hidden by the
 * wrong length show as a gap before the `seq` of the next frame.
 */
PEAT_API int peat_frame__next(struct peat_frame *frame, struct peat_frame_event *event);

PEAT_END_DECLS

#endif /* PEAT_FRAME_H */
