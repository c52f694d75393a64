/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_ACCOUNT_H
#define PEAT_LIVE_ACCOUNT_H

#include "live/inputs.h"

#define LOST_CAUSES (PEAT_LOST_CORRUPT + 1)

/* The events of one slot of one CPU, in sequence. */
struct stream {
	uint64_t next_seq; /* sequence number of the next frame's first event, if none is missing */
	bool begun;	   /* a frame was read; events before the first frame are not missing */
	int64_t missing;   /* events in the gaps between frames */
	uint64_t skipped;  /* events before the first frame of a snapshot: overwritten, or lost */
	uint64_t base_lost; /* stage__lost_output() of the slot when the reader was opened */
	uint64_t reported[LOST_CAUSES]; /* counts of the slot, as far as events reported them */
};

/* The reader's counts of a CPU's events. */
struct account {
	struct peat_ledger base; /* the ledger when the reader was opened */
	uint64_t former;	 /* events of earlier readers, which `base` does not exclude */
	uint64_t delivered, held;
	uint64_t unwritten; /* in a snapshot, but not kept: overwritten */
};

/* The accounts of a channel's events. */
struct accounts {
	struct inputs *inputs;
	struct stream *streams;	 /* by slot index */
	struct account *of_cpus; /* by CPU number */
	uint32_t cpus;

	/* Events of the present frame, also delivered, but added to `delivered` when the frame is
	 * done; NULL: none. */
	const uint32_t *uncounted;
	uint32_t uncounted_cpu; /* the CPU of that frame */

	bool is_copy; /* of another struct: the counts of programs are not marked as reported */

	uint32_t next_loss; /* slot that account__next_loss() continues with */
};

/*
 * Excludes events that programs counted before.  0 or -ENOMEM; account__close() accepts the result
 * of either.
 */
int account__open(struct accounts *accounts, struct inputs *inputs);
void account__close(struct accounts *accounts);

/*
 * A copy for account__fill() by other threads.  It shares the inputs.  open_copy: 0 or -ENOMEM;
 * close it by account__close().  copy_counts: copies the counts that change.
 */
int account__open_copy(struct accounts *copy, const struct accounts *accounts);
void account__copy_counts(struct accounts *copy, const struct accounts *accounts);

/* Counts events of a CPU that were counted as delivered as overwritten. */
void account__overwrite(struct accounts *accounts, uint32_t cpu, uint64_t events);

/* Events that were delivered, but not added to `delivered` yet. */
static inline uint32_t account__uncounted(const struct accounts *accounts)
{
	return accounts->uncounted ? *accounts->uncounted : 0;
}

/*
 * For rings that overwrite.  skip: no snapshot has events of the slot with lower numbers than
 * `seq`, besides those delivered.  deliver: a snapshot has `count` events of a frame, the first of
 * which has the number `seq`; the frame ends before the number `end`.
 */
void account__skip(struct accounts *accounts, uint32_t index, uint64_t seq);
void account__deliver(struct accounts *accounts, uint32_t index, uint64_t seq, uint64_t end,
		      uint64_t count);

/*
 * Reports losses: sets the event's cpu, lost and cause, and counts them as reported.  False: all
 * are reported.
 *
 * next_gap: of this slot, after a gap before a frame.  next_loss: of all slots, in turns; it begins
 * anew after it returned false.
 */
bool account__next_gap(struct accounts *accounts, uint32_t index, struct peat_event *event);
bool account__next_loss(struct accounts *accounts, struct peat_event *event);

/* The ledger of a CPU, or of PEAT_ALL_CPUS.  0 or a negative errno; -ENOTSUP: not of a channel. */
int account__fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger);

#endif /* PEAT_LIVE_ACCOUNT_H */
