/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_DRAIN_H
#define PEAT_LIVE_DRAIN_H

#include <peat/record.h>

#include "sys/cpus.h"
#include "ring/ring.h"
#include "channel/stage.h"
#include "event/task_names.h"
#include "identity/identities.h"

/*
 * A drain (reader.h: a round) returns what was in all rings when it began, and if requested what
 * was in all slots of the stage.  Then it is done, however fast rings fill.
 */
struct drain {
	struct ring *rings; /* by CPU number, page NULL where there is no ring */
	uint32_t limit;	    /* elements of `rings`: the highest CPU number + 1 */

	/* The rings that are not drained yet, and the index of the ring whose turn it is. */
	struct ring **turns;
	uint32_t turns_left, at;
	uint64_t quantum; /* bytes per turn, and between two releases of a ring's memory */

	struct stage *stage;
	const struct cpus *cpus;   /* only their slots; NULL: all */
	uint64_t staged_before_ns; /* newer events stay in their slots */
	uint32_t slot;		   /* the slot to collect next; stage->slots or more: none */
	uint32_t passes;	   /* times that its CPU's ring was read to the end for it */
	struct ring *slot_ring;	   /* that ring, while it is read */
	unsigned char *collected;  /* room for the frame collected from a slot */

	/* NULL: names are not followed. */
	struct tasks *tasks;
	struct identities *identities;	  /* NULL: cgroups are not followed */
	const struct peat_layout *side;	  /* layout of records of tasks and cgroups */
	struct task_record *task_records; /* room for one per ring */
	uint64_t tasks_applied_ns;	  /* all task records up to this time were applied */

	bool open;
	uint64_t begun_ns;   /* start of this drain */
	uint64_t drained_ns; /* all records that rings had by this time have been returned */
	uint64_t count;	     /* drains begun */
};

/* A piece of the stream: a record of a ring, or a frame collected from a slot. */
struct piece {
	const struct perf_event_header *record; /* NULL: see frame */
	const void *frame;
	size_t frame_bytes;
	uint32_t cpu;
};

/* 0 or -ENOMEM; drain__free() accepts the result of either.  `stage` may have no slots. */
int drain__init(struct drain *drain, struct ring *rings, uint32_t limit, struct stage *stage);
void drain__free(struct drain *drain);

/*
 * Applies the records of tasks and new cgroups, which have the layout `side`.  Either may be NULL:
 * not followed.  0 or -ENOMEM.
 */
int drain__follow(struct drain *drain, struct tasks *tasks, struct identities *identities,
		  const struct peat_layout *side);

/*
 * Begins a drain, if none is open.  It also collects slots whose first event was staged before
 * staged_before_ns; UINT64_MAX: all slots, 0: none.
 */
void drain__begin(struct drain *drain, uint64_t staged_before_ns);

/* The next piece, valid until the next call; false: the drain is done. */
bool drain__next(struct drain *drain, struct piece *piece);

/*
 * Applies all records of tasks and cgroups up to time_ns, wherever they are in the rings;
 * UINT64_MAX: up to now.
 */
void drain__apply_tasks(struct drain *drain, uint64_t time_ns);

#endif /* PEAT_LIVE_DRAIN_H */
