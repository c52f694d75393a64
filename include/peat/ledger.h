/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ledger.h: the ledger accounts for every event that programs emitted.
 *
 *	emitted = delivered + held + staged + in_ring + overwritten + corrupt
 *		+ filtered + counted + former
 *		+ lost_ring_full + lost_nested + lost_no_ring + lost_too_big
 *		+ lost_throttled + lost_abandoned + lost_other
 *
 * The BPF side counts in memory that it shares with the reader.  Reading the ledger costs a few
 * loads, and needs no LOST record.  Discarded events, and events of tasks
 * and CPUs that the programs leave out (peat_session_opts), are not counted as emitted.
 *
 * Each reader counts from its own start.  Exception: with peat_reader_opts.keep_slots, programs can
 * outlive their readers.  The ledger then also has the events lost while there was no reader:
 * lost_ring_full, lost_no_ring and lost_other since the last time a reader's ledger was read.
 * peat_reader_opts.since_load counts everything since the programs were loaded.
 *
 * A reader with peat_reader_opts.overwrite counts the events of its snapshots as delivered.  When a
 * snapshot is made, all older events that are in none count as overwritten: the numbers in frames
 * show how many these are.  Until then they are part of in_ring.
 *
 * While programs run, in_ring is the remainder of the equation.  It can be off by the events that a
 * program is writing at that moment, even below 0 (as two's complement).  After the programs are
 * detached and everything was read, in_ring is 0; otherwise the ledger does not balance.
 */
#ifndef PEAT_LEDGER_H
#define PEAT_LEDGER_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* Numbers of events, unless the name says frames. */
struct peat_ledger {
	size_t sz; /* sizeof(struct peat_ledger), set by the caller */
	uint64_t emitted;
	uint64_t delivered; /* returned by peat_reader__next() */
	uint64_t held;	    /* waiting to be ordered, or for memory to be counted in a table */
	uint64_t staged;    /* in a slot, not yet in a ring */
	uint64_t in_ring;
	uint64_t overwritten;	 /* not in a snapshot (peat_reader_opts.overwrite); else 0 */
	uint64_t corrupt;	 /* in invalid frames */
	uint64_t lost_ring_full; /* the reader was too slow for the ring */
	uint64_t lost_nested;	 /* more programs at once on one CPU than there are slots */
	uint64_t lost_no_ring;	 /* the CPU had no ring: not read, or not yet */
	uint64_t lost_too_big;	 /* larger than the reserved memory, or than a slot */
	uint64_t lost_throttled; /* beyond max_rate */
	uint64_t lost_abandoned; /* reserved, and neither submitted nor discarded */
	uint64_t lost_other;	 /* refused by the kernel for another reason */

	/* Not part of the equation. */
	uint64_t discarded;	   /* reserved, then discarded */
	uint64_t misuse;	   /* submitted or discarded twice: a bug of the program */
	uint64_t frames;	   /* frames written, including failed writes */
	uint64_t frames_ring_full; /* frames refused by a full ring: equals frames_lost */
	uint64_t frames_lost;	   /* the count of PERF_FORMAT_LOST, for comparison */

	/* Part of the equation. */
	uint64_t filtered; /* rejected by an expression (where.h), by programs or the reader */
	uint64_t counted;  /* counted in a table (table.h), by programs or the reader */

	/*
	 * Not part of the equation: peat_reader_stats.skipped.  0 in the ledger of one CPU: the
	 * kernel counts them for all CPUs together.
	 */
	uint64_t skipped;

	/* Not part of the equation, of programs of functions (functions.h); 0 for one CPU. */
	uint64_t calls_full;	/* calls that found no place: their returns emit nothing */
	uint64_t no_call;	/* returns whose calls are not known, as they began before */
	uint64_t absent_fields; /* that could not be read */
	/*
	 * Calls without a return so far: they go on, were left by longjmp() or the end of their
	 * thread, or the kernel skipped the return.  0 where the kernel pairs them (sessions).
	 */
	uint64_t no_return;

	/* Part of the equation, with peat_reader_opts.since_load: events of earlier readers. */
	uint64_t former;

	/* Not part of the equation: delivered, filtered or counted by this reader. */
	uint64_t read;
};

/* Sums up all kinds of loss. */
PEAT_INLINE uint64_t peat_ledger__lost(const struct peat_ledger *ledger)
{
	return ledger->lost_ring_full + ledger->lost_nested + ledger->lost_no_ring +
	       ledger->lost_too_big + ledger->lost_throttled + ledger->lost_abandoned +
	       ledger->lost_other + ledger->corrupt + ledger->overwritten;
}

PEAT_END_DECLS

#endif /* PEAT_LEDGER_H */
