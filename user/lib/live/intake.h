/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/intake.h: records of the rings, and frames of rings and stage, become events. */
#ifndef PEAT_LIVE_INTAKE_H
#define PEAT_LIVE_INTAKE_H

#include "channel/frame.h"
#include "event/from_record.h"
#include "event/source.h"
#include "live/account.h"
#include "live/inputs.h"

struct intake {
	struct peat_reader *reader; /* its event, frame, row and stats are set by the intake */
	struct inputs *inputs;
	struct accounts *accounts; /* of a channel */
	struct sampling *sampling; /* NULL: no samplers */
	bool has_frames;	   /* samples are frames of a channel's events, and so are slots */
	struct from_record from;

	struct peat_record record;	     /* the record decoded last */
	const struct perf_event_header *raw; /* its bytes in the ring; NULL: a frame of the stage */
	bool has_task;			     /* the event has pid and tid of the task that ran */
	bool has_sent_name; /* the event's name is `sent_name`, which may be NULL */
	const char *sent_name;
	bool is_current; /* for this piece, all task records up to now have been applied */

	/* Raw events, by map. */
	const struct peat_schema *schemas[INPUTS_MAPS]; /* NULL: not known */

	uint32_t sampler; /* that made the sample in `record`; UINT32_MAX: unknown */

	/* Events of a channel. */
	bool in_gap;	 /* losses before reader->frame are to be reported */
	bool in_frame;	 /* reader->frame is not done */
	bool is_plain;	 /* events are not ordered: rows are read, and counted once per frame */
	bool is_sampled; /* reader->frame has one event, and stacks that the kernel sampled */
	uint32_t frame_cpu;
	const struct peat_schema *last_schema; /* of events of last_type; NULL: unknown */
	uint32_t last_type;
};

/*
 * Call after the inputs are open, with the members before has_frames set.  0 or -ENOMEM;
 * intake__close() accepts the result of either, and zeroes.
 */
int intake__open(struct intake *in, uint32_t kinds);
void intake__close(struct intake *in);

/* Stores the next event in reader->event; false: the drain is done. */
bool intake__next(struct intake *in);

/* Sets the name of the task of reader->event, and reader->named; for the next event of a row. */
void intake__name_task(struct intake *in);

/*
 * Decodes a buffered record again, for an event with a `record`: reader->event.data is a copy of
 * the bytes that in->raw was, and is replaced by the event's data.
 */
void intake__decode_again(struct intake *in);

#endif /* PEAT_LIVE_INTAKE_H */
