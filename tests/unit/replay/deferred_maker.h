/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* deferred_maker.h: recordings whose samples have deferred user callchains. */
#ifndef TESTS_UNIT_REPLAY_DEFERRED_MAKER_H
#define TESTS_UNIT_REPLAY_DEFERRED_MAKER_H

#include "replay_maker.h"

#define MADE_CHAINS                                                                                \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |           \
	 PEAT_SAMPLE_CALLCHAIN)
#define MADE_DEFER_CALLCHAIN (1ULL << 38)
#define MADE_DEFER_OUTPUT    (1ULL << 39)

/* cpu-clock, and the event that has the parts, as perf records them: the ids 100 and 200. */
static const struct made_attr made_deferred[] = {
	{ 1, 136, 0, MADE_CHAINS, MADE_ID_ALL | MADE_DEFER_CALLCHAIN },
	{ 1, 136, 9, MADE_CHAINS & ~PEAT_SAMPLE_CALLCHAIN, MADE_ID_ALL | MADE_DEFER_OUTPUT }
};

/* The kernel part is one address. */
static inline void make_deferred_sample(struct maker *m, struct made_at at, uint64_t address,
					uint64_t cookie)
{
	size_t start = make_header(m, 9, 1, 0);

	make(m, 100, 8);
	make(m, MADE_PID, 4);
	make(m, at.tid, 4);
	make(m, at.time, 8);
	make(m, at.cpu, 4);
	make(m, 0, 4);
	make(m, 4, 8);
	make(m, (uint64_t)-128, 8);
	make(m, address, 8);
	make(m, (uint64_t)-640, 8);
	make(m, cookie, 8);
	end_made(m, start);
}

/* The user part: `count` addresses from `address` on. */
static inline void make_deferred_part(struct maker *m, struct made_at at, uint64_t cookie,
				      uint64_t address, uint64_t count)
{
	size_t start = make_header(m, 22, 2, 0);

	make(m, cookie, 8);
	make(m, count, 8);
	for (uint64_t i = 0; i < count; i++)
		make(m, address + i, 8);
	make_trailer(m, at, 200);
	end_made(m, start);
}

#endif /* TESTS_UNIT_REPLAY_DEFERRED_MAKER_H */
