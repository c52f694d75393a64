/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ledger.h: where every event went.
 *
 *	emitted = delivered + held + staged + in_ring + overwritten + corrupt
 *		+ lost_ring_full + lost_nested + lost_no_ring + lost_too_big
 *		+ lost_throttled + lost_abandoned + lost_other
 *
 * The BPF side counts in memory that it shares with the reader, so that asking costs some loads and
 * no LOST record has to arrive first.  Events that a filter rejected or the program discarded were
 * never emitted.
 *
 * Each reader counts from its own start.  But of programs that outlive their readers
 * (peat_reader_opts.keep_slots) it counts as well what they lost in between: lost_ring_full,
 * lost_no_ring and lost_other since a reader's ledger was asked for the last time.
 *
 * While programs run, in_ring is the remainder: what the other numbers leave, off by what a program
 * is about to write just then, even below 0 (as two's complement).  Once they are detached and
 * everything was read it is 0, or the ledger does not balance.
 */
#ifndef PEAT_LEDGER_H
#define PEAT_LEDGER_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_ledger {
	size_t sz; /* sizeof(struct peat_ledger), set by the caller */
	uint64_t emitted;
	uint64_t delivered; /* handed out by peat_reader__next() */
	uint64_t held;	    /* by ordering; 0 without */
	uint64_t staged;    /* in a slot, not yet in a ring */
	uint64_t in_ring;
	uint64_t overwritten;	 /* in an overwritable ring; 0 in others */
	uint64_t corrupt;	 /* in frames that made no sense */
	uint64_t lost_ring_full; /* the reader was too slow for the ring */
	uint64_t lost_nested;	 /* more programs at once on one CPU than there are slots */
	uint64_t lost_no_ring;	 /* the CPU had none: nobody read it, or not yet */
	uint64_t lost_too_big;	 /* larger than what was reserved, or than a slot */
	uint64_t lost_throttled; /* beyond the rate that was allowed */
	uint64_t lost_abandoned; /* reserved and never submitted nor discarded */
	uint64_t lost_other;	 /* refused by the kernel for another reason */

	/* No part of the sum. */
	uint64_t discarded;	   /* reserved, then given back */
	uint64_t misuse;	   /* submitted or discarded twice: a fault of the program */
	uint64_t frames;	   /* that programs wrote, or tried to */
	uint64_t frames_ring_full; /* of them; equals what PERF_FORMAT_LOST says */
	uint64_t frames_lost;	   /* PERF_FORMAT_LOST, for comparison */
};

/* All kinds of loss together. */
static inline uint64_t peat_ledger__lost(const struct peat_ledger *ledger)
{
	return ledger->lost_ring_full + ledger->lost_nested + ledger->lost_no_ring +
	       ledger->lost_too_big + ledger->lost_throttled + ledger->lost_abandoned +
	       ledger->lost_other + ledger->corrupt + ledger->overwritten;
}

PEAT_END_DECLS

#endif /* PEAT_LEDGER_H */
