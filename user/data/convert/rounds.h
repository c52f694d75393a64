/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/rounds.h: places for FINISHED_ROUND records among nearly sorted records.  Pure.
 *
 * For perf, a FINISHED_ROUND promises: no record after the next FINISHED_ROUND is older than any
 * record before this one.  That takes the times of all records, so they are added first:
 *
 *	for each record with a time:
 *		err = rounds__add(&rounds, time_ns);
 *	rounds__choose(&rounds);
 *	for each record again, in the same order:
 *		if (rounds__next(&rounds))
 *			write a FINISHED_ROUND before it;
 */
#ifndef PEAT_CONVERT_ROUNDS_H
#define PEAT_CONVERT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records per chunk of 24 bytes; a FINISHED_ROUND can only be placed before a chunk. */
#define ROUNDS_CHUNK_RECORDS 4096

struct round_chunk;

struct rounds {
	struct round_chunk *chunks;
	size_t count, room;
	uint64_t added, passed; /* records, in the first and second pass */
};

int rounds__add(struct rounds *rounds, uint64_t time_ns); /* 0 or -ENOMEM */
void rounds__choose(struct rounds *rounds);
bool rounds__next(struct rounds *rounds);
void rounds__free(struct rounds *rounds); /* all zero is allowed */

#endif /* PEAT_CONVERT_ROUNDS_H */
