/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef INTAKE_H
#define INTAKE_H

#include <peat/frame.h>
#include <peat/reader.h>

#include "live/account.h"
#include "channel/frame.h"
#include "live/inputs.h"

/* What the rings and the stage give, event by event. */
struct intake {
	struct live live;
	struct peat_event event;
	struct peat_record record;
	const struct perf_event_header *raw; /* that record as its ring has it; NULL: none */
	struct peat_reader_stats stats;
	uint64_t payload[65536 / 8]; /* of the raw event that is lent: a record is shorter */
	uint32_t kinds;		     /* PEAT_KIND_*: the records that are handed out as events */
	uint32_t exact_bytes[LIVE_MAPS];	      /* of raw events, by map; 0: it varies */
	const struct peat_schema *schemas[LIVE_MAPS]; /* of raw events, by map; NULL: not known */

	/* With names. */
	bool has_task;	    /* the event says which task ran */
	bool knows_now;	    /* what there is to know now: asked for an event without a time */
	char idle_comm[24]; /* as the kernel calls the idle task: "swapper/" and the CPU */

	/* Of a channel. */
	struct peat_frame frame; /* the one that events are taken from */
	bool in_frame;
	bool is_plain; /* events go as they come, not held, not named: frames are counted whole */
	uint32_t frame_cpu;
	struct peat_event framed; /* its last event; what they have in common is set once */
	struct frame_row row;	  /* that in->framed is of */
	const struct peat_schema *last_schema; /* of events of last_type; NULL: not known */
	uint32_t last_type;
	struct accounts accounts;
};

/*
 * The next event of the frame becomes in->framed, if it is of the same type and size as the one
 * before, as most are.  False: nothing was done.  This runs for every event of a channel.
 */
static inline bool intake__step(struct intake *in)
{
	const unsigned char *at = frame__next_of_row(&in->frame, &in->row);
	struct peat_event *event = &in->framed;
	struct peat_event_head head;
	struct peat_event_ids ids;

	if (!at)
		return false;
	memcpy(&head, at, sizeof(head));
	event->time_ns = in->frame.time_ns + head.delta_ns;
	event->data = at + in->row.before;
	if (in->row.before == sizeof(head))
		return true;
	memcpy(&ids, at + sizeof(head), sizeof(ids));
	event->pid = ids.tgid;
	event->tid = ids.tid;
	return true;
}

/* The next event becomes in->event; false when the round is done. */
bool intake__next(struct intake *in);

/*
 * The event's `data` is a record, such as in->raw was, its `record` not NULL: takes that record
 * apart again.
 */
void intake__again(struct intake *in);

#endif /* INTAKE_H */
