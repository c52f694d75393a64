// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_stat.c: peat stat. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_unit.h"

static void take_separator(void *member, const char *arg, struct argp_state *state)
{
	if (!*arg)
		argp_error(state, "-x: expected a separator, such as -x,");
	*(const char **)member = arg;
}

static void take_runs(void *member, const char *arg, struct argp_state *state)
{
	uint64_t *runs = member;

	if (!parse_unit__count(arg, UINT32_MAX, runs))
		argp_error(state, "-r '%s': not a number of runs, such as 5", arg);
	if (!*runs)
		argp_error(state,
			   "-r 0: peat stat does not run COMMAND for ever, as perf stat -r 0 "
			   "does: use -r 1 or more");
}

static void take_detailed(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	++*(int *)member;
}

const char *options_stat__by_name(enum stat_by by)
{
	static const char *const names[] = {
		[STAT_BY_EVENT] = "",
		[STAT_BY_CPU] = "-A",
		[STAT_BY_CORE] = "--per-core",
		[STAT_BY_SOCKET] = "--per-socket",
		[STAT_BY_THREAD] = "--per-thread",
	};

	return names[by];
}

static void choose_rows(enum stat_by *at, enum stat_by by, struct argp_state *state)
{
	if (*at != STAT_BY_EVENT && *at != by)
		argp_error(state, "%s and %s exclude each other", options_stat__by_name(*at),
			   options_stat__by_name(by));
	*at = by;
}

static void take_per_cpu(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	choose_rows(member, STAT_BY_CPU, state);
}

static void take_per_core(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	choose_rows(member, STAT_BY_CORE, state);
}

static void take_per_socket(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	choose_rows(member, STAT_BY_SOCKET, state);
}

static void take_per_thread(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	choose_rows(member, STAT_BY_THREAD, state);
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
	{ { "repeat", 'r', "N", 0, "count N runs, and print the mean and its deviation", 4 },
	  VERB_STAT,
	  BY(take_runs, stat.runs) },
	{ { "per-cpu", 'A', NULL, 0, "print the counts of each CPU", 4 },
	  VERB_STAT,
	  BY(take_per_cpu, stat.by) },
	{ { "per-core", 0, NULL, 0, "print the counts of each core", 4 },
	  VERB_STAT,
	  BY(take_per_core, stat.by) },
	{ { "per-socket", 0, NULL, 0, "print the counts of each socket", 4 },
	  VERB_STAT,
	  BY(take_per_socket, stat.by) },
	{ { "per-thread", 0, NULL, 0, "print the counts of each thread of -p or -t", 4 },
	  VERB_STAT,
	  BY(take_per_thread, stat.by) },
	{ { "field-separator", 'x', "SEP", 0, "print fields with SEP between them, like perf stat",
	    4 },
	  VERB_STAT,
	  BY(take_separator, stat.separator) },
	LAST_ROW,
};
