/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * round_marks.h: where FINISHED_ROUND may stand among records that come nearly sorted.  Pure.
 *
 * perf takes a mark to promise that what follows the next one is not older than what stands in
 * front of it.  Whether that holds is only known at the end, so all times are seen once before:
 *
 *	for each record with a time:
 *		err = round_marks__see(&marks, time_ns);
 *	round_marks__choose(&marks);
 *	for each of them again, in the same order:
 *		if (round_marks__next(&marks))
 *			put a mark in front of it;
 */
#ifndef ROUND_MARKS_H
#define ROUND_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records between two places where a mark may stand: 24 bytes are kept of so many. */
#define ROUND_MARKS_EACH 4096

struct round_chunk;

struct round_marks {
	struct round_chunk *chunks;
	size_t count, room;
	uint64_t seen, passed; /* records, the first time and the second */
};

int round_marks__see(struct round_marks *marks, uint64_t time_ns); /* 0 or -ENOMEM */
void round_marks__choose(struct round_marks *marks);
bool round_marks__next(struct round_marks *marks);
void round_marks__free(struct round_marks *marks); /* one of zeroes, too */

#endif /* ROUND_MARKS_H */
