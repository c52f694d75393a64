/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * held_exits.h: the EXITs of a recording, held back for a while.  Pure.
 *
 * The kernel writes an EXIT while the thread still runs: what it does last, and what others do to
 * it, comes behind.  Newer perfs (7.2) forget a thread's name at its EXIT, and show all that as
 * ":1234".  So an EXIT is held until the flush after the next one:
 *
 *	hold ──▶ new ── age ──▶ old ── take_old ──▶
 *	             take_of: somebody else has the thread's number now
 */
#ifndef HELD_EXITS_H
#define HELD_EXITS_H

#include <peat/record.h>

#define HELD_EXITS_MOST 4096

#define HELD_EXITS_TIDS 1024

struct held_exit {
	struct peat_task task;
	uint32_t cpu, pid, tid; /* of the record, as its time was */
	uint16_t misc;
	bool is_gone;
};

/* Zeroes: none. */
struct held_exits {
	struct held_exit *at; /* a circle of HELD_EXITS_MOST */
	uint32_t first, count;
	uint32_t old; /* so many of them were there at the last flush */
	uint16_t of_tids[HELD_EXITS_TIDS];
};

/* False: there are as many as may be, or there is no memory. */
bool held_exits__hold(struct held_exits *held, const struct peat_record *record);

/* Takes the one that has been held longest, but for `time_ns`, which it leaves.  False: none. */
bool held_exits__take(struct held_exits *held, struct peat_record *record);

/* The same for one that was there at the last flush already. */
bool held_exits__take_old(struct held_exits *held, struct peat_record *record);

/* The same for that of a thread whose number another one has got at `time_ns`. */
bool held_exits__take_of(struct held_exits *held, uint32_t tid, uint64_t time_ns,
			 struct peat_record *record);

/* A flush: all that are there are old ones now. */
void held_exits__age(struct held_exits *held);

void held_exits__free(struct held_exits *held);

#endif /* HELD_EXITS_H */
