/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_turns.h: the files of a directory (perf record --threads), read side by side.
 *
 * Each has the records of some CPUs, sorted by the kernel or nearly so, and there are no rounds: it
 * is the turn of the file that has come least far.
 *
 *	err = perf_turns__init(&turns, file);
 *	while ((ret = perf_turns__next(&turns, &entry)) > 0)
 *		perf_turns__came_to(&turns, time_of(&entry)); // those that have a time
 */
#ifndef PERF_TURNS_H
#define PERF_TURNS_H

#include "perf_file.h"

struct perf_turn;

struct perf_turns {
	/* All that comes is younger, as far as each file is sorted. */
	uint64_t reached_ns;

	/* Its own. */
	struct perf_file *file;
	struct perf_turn
		*of; /* those not at their end: a binary heap, whose first it is the turn of */
	uint32_t count;
};

int perf_turns__init(struct perf_turns *turns, struct perf_file *file); /* 0 or -ENOMEM */
void perf_turns__free(struct perf_turns *turns);			/* one of zeroes, too */

/* As perf_file__next(). */
int perf_turns__next(struct perf_turns *turns, struct perf_entry *entry);

/* The time of the record that came last. */
void perf_turns__came_to(struct perf_turns *turns, uint64_t time_ns);

#endif /* PERF_TURNS_H */
