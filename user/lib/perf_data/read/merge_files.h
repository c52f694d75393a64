/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_turns.h: the files of a directory (perf record --threads), merged by time.
 *
 * Each has the records of some CPUs, sorted by the kernel or nearly so, and there are no rounds.  A
 * record without a time follows the one in front of it.
 *
 *	err = perf_turns__init(&turns, file);
 *	while ((ret = perf_turns__next(&turns, &entry)) > 0)
 *		use(&entry, turns.time_ns);
 *	perf_turns__free(&turns);
 */
#ifndef PERF_TURNS_H
#define PERF_TURNS_H

#include "perf_data/read/file.h"

struct perf_turn;
struct perf_place;

struct perf_turns {
	uint64_t time_ns;    /* of the record that came last; 0: it has none */
	uint64_t reached_ns; /* what comes is not older, as far as each file is sorted */

	/* Its own. */
	struct perf_file *file;
	struct perf_turn *of;	 /* each file */
	struct perf_place *heap; /* those not at their end: it is the turn of the first */
	uint32_t count;		 /* of them */
	bool has_begun;
};

int perf_turns__init(struct perf_turns *turns, struct perf_file *file); /* 0 or -ENOMEM */
void perf_turns__free(struct perf_turns *turns);			/* one of zeroes, too */

/* As perf_file__next(). */
int perf_turns__next(struct perf_turns *turns, struct perf_entry *entry);

#endif /* PERF_TURNS_H */
