/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/delayed_exits.h: delays the EXIT records of a recording.  Pure.
 *
 * The kernel writes an EXIT while the thread still runs: events of and about the thread can follow
 * it.  Newer perfs (7.2) drop a thread's name at its EXIT and print these events as ":1234".  So
 * an EXIT is delayed until the second flush:
 *
 *	add ──▶ new ── age ──▶ old ── pop_old ──▶
 *	            pop_tid: another thread has got the thread id
 */
#ifndef PEAT_RECORDER_DELAYED_EXITS_H
#define PEAT_RECORDER_DELAYED_EXITS_H

#include <peat/record.h>

#define DELAYED_EXITS_MAX 4096

#define DELAYED_EXITS_TIDS 1024

struct delayed_exit {
	struct peat_task task;
	uint32_t cpu, pid, tid; /* of the record */
	uint16_t misc;
	bool is_popped;
};

/* All zero: empty. */
struct delayed_exits {
	struct delayed_exit *at; /* ring of DELAYED_EXITS_MAX entries */
	uint32_t first, count;
	uint32_t old;				 /* entries added before the last flush */
	uint16_t tid_counts[DELAYED_EXITS_TIDS]; /* entries, by the thread id's hash */
};

/* False: it is full, or there is no memory. */
bool delayed_exits__add(struct delayed_exits *delayed, const struct peat_record *record);

/* Removes the oldest entry and fills in `record`, except its time_ns.  False: there is none. */
bool delayed_exits__pop(struct delayed_exits *delayed, struct peat_record *record);

/* The same for entries added before the last flush. */
bool delayed_exits__pop_old(struct delayed_exits *delayed, struct peat_record *record);

/* The same for an EXIT of thread `tid` at or before `time_ns`, when its id is reused. */
bool delayed_exits__pop_tid(struct delayed_exits *delayed, uint32_t tid, uint64_t time_ns,
			    struct peat_record *record);

/* Marks all entries as old, at a flush. */
void delayed_exits__age(struct delayed_exits *delayed);

void delayed_exits__free(struct delayed_exits *delayed);

#endif /* PEAT_RECORDER_DELAYED_EXITS_H */
