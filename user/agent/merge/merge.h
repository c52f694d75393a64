/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * merge/merge.h: events of batches of many hosts, by time of day.  Pure: the caller has the clock.
 *
 *	batches ──▶ merge__add() ──▶ held for the delay ──▶ merge__next() ──▶ events
 *	                                                         └──▶ done(), for each batch
 *
 * A batch is held until `delay_ns` after it was added.  Then its events are returned, and before
 * them all older events that are held.  So events are in order if no batch arrives later than
 * the delay after the events that it has to precede.  Others are `late`.
 */
#ifndef PEAT_MERGE_MERGE_H
#define PEAT_MERGE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/batch.h>

#include "piece/piece.h"

struct merge_opts {
	uint64_t delay_ns;
	uint64_t memory_bytes; /* of batches that are held; beyond, events are not held */
	/*
	 * The batch that was added with `token` is no longer held: `all` of its events were
	 * returned, and the caller is done with the last one.  Called by all functions, before
	 * the batch's reference is given back.
	 */
	void (*done)(void *arg, void *token, bool all);
	void *arg;
};

/* An event, valid until the next call of merge__next() or merge__add(). */
struct merged {
	struct peat_event event; /* `late` also if it is late here */
	const struct piece_info *info;
	void *token;
	/* The time of day, ns since 1970; an event without a time has that of the event before it.
	 */
	uint64_t wall_ns;
};

struct merge_counts {
	uint64_t events;  /* returned, of any kind */
	uint64_t late;	  /* older than an event that was returned before, of any batch */
	uint64_t hurried; /* returned before their time, for lack of memory */
	uint64_t batches; /* held now */
	uint64_t bytes;	  /* of their memory */
};

struct merge;

/* NULL: no memory. */
struct merge *merge__new(const struct merge_opts *opts);

/*
 * Holds a batch from now on: its reference is the merge's.  `info` is copied; its texts live as
 * long as the batch.  Its events need not be in order.  A batch without events is done at
 * once.  0 or -ENOMEM: the reference stays the caller's.
 */
int merge__add(struct merge *merge, struct peat_batch *batch, const struct piece_info *info,
	       void *token, uint64_t now_ns);

/* From now on nothing is held: the end. */
void merge__hold_nothing(struct merge *merge);

/* False: no event is due. */
bool merge__next(struct merge *merge, uint64_t now_ns, struct merged *merged);

/* Nanoseconds until an event is due, 0: now; UINT64_MAX: there is none. */
uint64_t merge__wait_ns(const struct merge *merge, uint64_t now_ns);

void merge__read_counts(const struct merge *merge, struct merge_counts *counts);

/* Batches that are held are done, but not all of their events were returned.  Accepts NULL. */
void merge__free(struct merge *merge);

#endif /* PEAT_MERGE_MERGE_H */
