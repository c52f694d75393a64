/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_fixture.h: a recording that each test makes. */
#ifndef TESTS_UNIT_REPLAY_REPLAY_FIXTURE_H
#define TESTS_UNIT_REPLAY_REPLAY_FIXTURE_H

#include "replay_run.h"

static struct maker made;

static inline void setup(void)
{
	begin_replays();
	made = (struct maker){ 0 };
}

static inline void teardown(void)
{
	free(made.at);
}

/* An event of the first tracepoint on a CPU. */
static inline void add(uint64_t time, uint32_t cpu, uint64_t number)
{
	make_event(&made, 100, (struct made_at){ time, cpu, 43 }, number);
}

#endif /* TESTS_UNIT_REPLAY_REPLAY_FIXTURE_H */
