/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ROUND_H
#define ROUND_H

#include <peat/record.h>

#include "sys/cpus.h"
#include "ring/ring.h"
#include "channel/stage.h"
#include "event/task_names.h"

/*
 * A round: one look at all rings, and, when it is time for that, at all slots of the stage.  It
 * hands out what was there when it began and then is done, however fast rings fill.
 */
struct round {
	struct ring *rings; /* by CPU number, page NULL where there is no ring */
	uint32_t limit;	    /* how many: the highest CPU number + 1 */

	/* The rings that still have something, and whose turn it is. */
	struct ring **turns;
	uint32_t turns_left, at;
	uint64_t quantum; /* bytes a turn, and between two releases of a ring's memory */

	struct stage *stage;	   /* NULL: there is none */
	const struct cpus *cpus;   /* only their slots; NULL: all */
	uint64_t staged_before_ns; /* what is younger stays */
	uint32_t slot;		   /* the one to look into; stage->slots or more: done with them */
	uint32_t looks;		   /* how often its CPU's ring has been read up to its end for it */
	struct ring *behind;	   /* that ring, while it is read */
	unsigned char *collected;  /* room for the frame that is taken from a slot */

	/* NULL: names are not followed. */
	struct tasks *tasks;
	const struct peat_layout *side; /* of the records that tell of them */
	struct ahead *ahead;		/* room for one of each ring */
	uint64_t known_until_ns;	/* all that was told by then has been seen */

	bool open;
	uint64_t begun_ns, drained_ns; /* what rings had by then has been handed out */
	uint64_t count;
};

/* A piece of the stream: a record of a ring, or a frame that was taken from a slot. */
struct piece {
	const struct perf_event_header *record; /* NULL: see frame */
	const void *frame;
	size_t frame_bytes;
	uint32_t cpu;
};

/* Room for one frame of the stage. 0 or -ENOMEM; round__free() takes any. */
int round__init(struct round *round, struct ring *rings, uint32_t limit, struct stage *stage);
void round__free(struct round *round);

/* From now on, tells `tasks` what the rings' records of the layout `side` say.  0 or -ENOMEM. */
int round__follow(struct round *round, struct tasks *tasks, const struct peat_layout *side);

/*
 * Begins a round, if none is open, that also collects what has been staged since before that time;
 * UINT64_MAX: all that is staged, 0: nothing.
 */
void round__begin(struct round *round, uint64_t staged_before_ns);

/* The next piece, valid until the next call; false when the round is done. */
bool round__next(struct round *round, struct piece *piece);

/*
 * Makes sure that `tasks` knows what had happened by time_ns, wherever that lies in the rings;
 * UINT64_MAX: by now.
 */
void round__know(struct round *round, uint64_t time_ns);

#endif /* ROUND_H */
