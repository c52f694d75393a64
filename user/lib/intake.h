/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef INTAKE_H
#define INTAKE_H

#include <peat/frame.h>
#include <peat/reader.h>

#include "account.h"
#include "frame_step.h"
#include "live.h"

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
	bool counts_frames; /* as delivered, each when it is done, and not event by event */
	uint32_t frame_cpu;
	struct peat_event framed; /* its last event; what they have in common is set once */
	const struct peat_schema *last_schema; /* of events of last_type; NULL: not known */
	uint32_t last_type;
	struct accounts accounts;
};

/* Looks for the schema of that type, in->last_schema from then on. */
void intake__change_type(struct intake *in, uint32_t type);

/*
 * The next event of the frame becomes in->framed: 1.  Else as frame__step() has it, and in->frame
 * has no further one.  This runs for every event of a channel.
 */
static inline int intake__step(struct intake *in)
{
	struct peat_event *event = &in->framed;
	struct peat_frame_event of_frame;
	int more = frame__step(&in->frame, &of_frame);

	if (__builtin_expect(more <= 0, 0))
		return more;
	/* Events of one type come in rows. */
	if (__builtin_expect(of_frame.type != in->last_type || !in->last_schema, 0))
		intake__change_type(in, of_frame.type);
	event->time_ns = of_frame.time_ns;
	event->pid = of_frame.tgid;
	event->tid = of_frame.tid;
	event->type = of_frame.type;
	event->size = of_frame.size;
	event->data = of_frame.data;
	event->schema = in->last_schema;
	in->has_task = of_frame.has_ids;
	return 1;
}

/* The next event becomes in->event; false when the round is done. */
bool intake__next(struct intake *in);

/*
 * The event's `data` is a record, such as in->raw was, its `record` not NULL: takes that record
 * apart again.
 */
void intake__again(struct intake *in);

#endif /* INTAKE_H */
