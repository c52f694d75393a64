/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/rounds.h: where the rounds of a recording may end.  Pure.
 *
 * Records are written in any order of time, and a mark ends a round.  At a mark, readers sort the
 * records up to the newest time before the previous mark: no older record may follow.
 *
 *	records ──── mark ──── records ──── mark ──── records
 *	newest: 500				↑
 *			sorted here: up to 500; later records: 500 or newer
 */
#ifndef PEAT_RECORDER_ROUNDS_H
#define PEAT_RECORDER_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: no records. */
struct rounds {
	uint64_t newest_ns; /* of all records */
	uint64_t marked_ns; /* newest_ns at the last mark */
	uint32_t unsorted;  /* marks until all records are sorted: 0 to 2 */
};

static inline void rounds__add(struct rounds *rounds, uint64_t time_ns)
{
	if (time_ns > rounds->newest_ns)
		rounds->newest_ns = time_ns;
	rounds->unsorted = 2;
}

/* Whether a mark sorts further records, and allows those that follow: safe_ns or newer. */
static inline bool rounds__may_end(const struct rounds *rounds, uint64_t safe_ns)
{
	return rounds->unsorted && safe_ns >= rounds->marked_ns;
}

/* A mark follows the records. */
static inline void rounds__end(struct rounds *rounds)
{
	rounds->marked_ns = rounds->newest_ns;
	rounds->unsorted--;
}

#endif /* PEAT_RECORDER_ROUNDS_H */
