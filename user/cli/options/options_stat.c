// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_stat.c: peat stat. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"

static void take_separator(void *member, const char *arg, struct argp_state *state)
{
	if (!*arg)
		argp_error(state, "-x: expected a separator, such as -x,");
	*(const char **)member = arg;
}

static void take_detailed(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	++*(int *)member;
}

const struct option_row options_stat__rows[] = {
	{ { "detailed", 0, NULL, 0,
	    "also count loads of the L1 data and last-level caches; twice: also the L1 instruction "
	    "cache and TLBs; three times: also prefetches, as -d, -dd, -ddd of perf stat",
	    1 },
	  VERB_STAT,
	  BY(take_detailed, stat.details) },
	{ { "no-inherit", 0, NULL, 0, "do not count threads and processes that the tasks create",
	    2 },
	  VERB_STAT,
	  INTO(stat.no_inherit) },
	{ { "per-cpu", 'A', NULL, 0, "print the counts of each CPU", 4 },
	  VERB_STAT,
	  INTO(stat.per_cpu) },
	{ { "field-separator", 'x', "SEP", 0, "print fields with SEP between them, like perf stat",
	    4 },
	  VERB_STAT,
	  BY(take_separator, stat.separator) },
	LAST_ROW,
};
