/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/source.h: the source that reads rings and stage; live/input.h: of what.
 */
#ifndef PEAT_LIVE_SOURCE_H
#define PEAT_LIVE_SOURCE_H

#include "live/flight_rings.h"
#include "live/intake.h"
#include "live/ordered.h"

/* See live/ring_losses.h. */
struct ring_losses {
	uint64_t *reported; /* by CPU: events that its ring lost, as far as reported */
	uint32_t cpus, next;
};

struct live_source {
	struct peat_reader reader;    /* its ops are the first member of a struct live_input */
	struct peat_channel *channel; /* NULL: maps, samples, or kinds alone */
	struct sampling *owned_sampling;
	struct inputs inputs;
	struct accounts accounts;  /* of a channel */
	struct accounts published; /* a copy for other threads, see source__publish() */
	struct intake intake;
	struct flight_rings flight; /* with opts.overwrite: used instead of intake and ordered */
	const char *map_names[INPUTS_MAPS];	 /* not owned; NULL: the kernel's name */
	const struct btf *map_btfs[INPUTS_MAPS]; /* of their events' types; not owned, or NULL */
	bool is_ordered;
	struct ordered ordered; /* if is_ordered */

	/* Otherwise, once the safe time has been asked for. */
	uint32_t latency_ms;
	struct returned_time returned;
	uint64_t safe_ns;     /* as of the end of the last round */
	uint32_t safe_stalls; /* rounds in a row that did not change it */

	/* Losses that are reported when a round ends. */
	uint32_t flushed;   /* rounds that have to report all of them: the present one, the next */
	bool in_losses;	    /* some are being returned */
	uint64_t losses_ns; /* time of the last report */
	struct ring_losses ring_losses;

	/* live_source__also_read(); NULL: nothing else is read. */
	void (*read_other)(void *arg);
	void *other;

	/* Events of the channel's table that programs transported, for lack of a place in their
	 * own tables, when those were collected last. */
	uint64_t homeless;
	uint64_t collected_ns;
};

/* The i-th type of a channel, as in struct source_ops. */
bool live_source__channel_type(const struct peat_channel *channel, uint32_t i,
			       struct reader_type *type);

/*
 * Opens the counters that the programs of this reader read, and keeps them open on all CPUs that
 * are online, until the reader is freed.  0 or an error of map_counters__open().
 */
int live_source__open_counters(struct peat_reader *reader, struct map_counters *counters);

/* The programs whose runs the reader counts if the kernel skips them; raw mode: none yet. */
static inline struct skipped *live_source__skipped(struct peat_reader *reader)
{
	return &((struct live_source *)reader)->inputs.skipped;
}

/* Attaches programs again on CPUs that return.  `events` has to outlive the reader. */
void live_source__follow_programs(struct peat_reader *reader, struct program_events *events);

/*
 * Calls `read` at the end of each round, in the reader's thread, and makes waits also end when `fd`
 * is readable.  The fd is closed first; then NULL ends the calls.  0 or a negative errno.
 */
int live_source__also_read(struct peat_reader *reader, int fd, void (*read)(void *arg), void *arg);

#endif /* PEAT_LIVE_SOURCE_H */
