// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_limits.c: limits of time, number, latency and memory. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_value.h"

static void take_duration(void *member, const char *arg, struct argp_state *state)
{
	*(uint64_t *)member = parse_value__time(arg, 1000, UINT64_MAX, state);
}

static void take_latency(void *member, const char *arg, struct argp_state *state)
{
	*(uint32_t *)member = (uint32_t)parse_value__time(arg, 1, 3600 * 1000, state);
}

const struct option_row options_limits__rows[] = {
	{ { "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (default unit: seconds)",
	    5 },
	  RUN | VERB_PROFILE,
	  BY(take_duration, limits.run_ms) },
	{ { "count", 'n', "COUNT", 0, "stop after COUNT events", 5 },
	  LIVE | REPLAY,
	  BY(option_take__count, limits.count) },
	{ { "count", 'n', "COUNT", 0, "stop after COUNT tables; needs -i", 5 },
	  TALLY,
	  BY(option_take__count, limits.count) },
	{ { "latency", 0, "TIME", 0,
	    "print an event at most TIME after it happened; default unit: milliseconds (default "
	    "100ms); 0 wakes peat for each event, which slows down the traced programs",
	    8 },
	  LIVE,
	  BY(take_latency, limits.latency_ms) },
	{ { "memory", 0, "SIZE", 0,
	    "memory of all rings together: 512K, 8M (default 1M per CPU, at most 1% of RAM and "
	    "256M)",
	    8 },
	  RUN | VERB_PROFILE,
	  BY(option_take__memory, limits.memory_bytes) },
	{ { "memory", 0, "SIZE", 0,
	    "most memory for sorting events (default 256M, directories 24M); if it is too "
	    "small, some are printed late",
	    8 },
	  REPLAY,
	  BY(option_take__memory, limits.memory_bytes) },
	{ { "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (default unit: seconds)",
	    4 },
	  VERB_STAT,
	  BY(take_duration, limits.run_ms) },
	LAST_ROW,
};
