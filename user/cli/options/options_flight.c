// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_flight.c: peat record --flight. */
#include <string.h>

#include <peat/counters.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

static void take_bytes(void *member, const char *arg, struct argp_state *state)
{
	uint64_t *bytes = member;

	if (!parse_unit__bytes(arg, bytes) || !*bytes || *bytes > 2ULL << 30)
		argp_error(state, "--flight '%s': expected a size such as 4M, at most 2G", arg);
}

static void take_last(void *member, const char *arg, struct argp_state *state)
{
	uint64_t ms;

	if (!parse_unit__time_ms(arg, 1000, &ms) || !ms || ms > UINT64_MAX / 1000000)
		argp_error(state, "--last '%s': expected a time such as 30s or 500ms", arg);
	*(uint64_t *)member = ms * 1000000;
}

static void take_on(void *member, const char *arg, struct argp_state *state)
{
	struct flight_options *flight = member;
	int is_count = peat_counters__parse_limit(arg, &flight->on_count.name_size,
						  &flight->on_count.over);

	if (flight->on)
		argp_error(state, "--on '%s': only one source or count can trigger", arg);
	if (is_count < 0)
		argp_error(state,
			   "--on '%s': expected EVENT>N, a perf event and a number, such as "
			   "'major-faults>1000'",
			   arg);
	flight->on = arg;
	flight->on_count.is_given = is_count;
}

static void take_interval(void *member, const char *arg, struct argp_state *state)
{
	*(uint64_t *)member = parse_value__time(arg, 1000, UINT64_MAX / 1000000 - 1, state);
}

static void take_dump(void *member, const char *arg, struct argp_state *state)
{
	*(uint32_t *)member = parse_value__pid(arg, false, state);
}

const struct option_row options_flight__rows[] = {
	{ { "flight", 0, "SIZE", 0,
	    "keep the last SIZE bytes of events of each CPU, and write them to FILE.1, FILE.2 and "
	    "so "
	    "on when a trigger asks for it: SIGUSR2, --dump, --on, --on-lost, the end of COMMAND",
	    6 },
	  VERB_RECORD,
	  BY(take_bytes, flight.bytes) },
	{ { "last", 0, "TIME", 0, "write only the events of the last TIME: 30s, 500ms", 6 },
	  VERB_RECORD,
	  BY(take_last, flight.last_ns) },
	{ { "on", 0, "SOURCE|EVENT>N", 0,
	    "trigger: an event of SOURCE, which --where selects; it need not be recorded; or more "
	    "than N of a perf EVENT since the last dump: 'major-faults>1000'",
	    6 },
	  VERB_RECORD,
	  BY(take_on, flight) },
	{ { "on-lost", 0, NULL, 0, "trigger: events were lost", 6 },
	  VERB_RECORD,
	  INTO(flight.on_lost) },
	{ { "max-dumps", 0, "N", 0,
	    "stop after N dumps; without it, --on and --on-lost make 100 at most", 6 },
	  VERB_RECORD,
	  BY(option_take__count, flight.max_dumps) },
	{ { "dump-interval", 0, "TIME", 0,
	    "time between dumps of --on and --on-lost, at least; default: 10s; 0: none", 6 },
	  VERB_RECORD,
	  BY(take_interval, flight.interval_ms) },
	{ { "dump", 0, "PID", 0,
	    "ask the flight recorder PID for a dump, wait for it, and print the name of its file",
	    6 },
	  VERB_RECORD,
	  BY(take_dump, flight.dump_pid) },
	LAST_ROW,
};

/* Options that need --flight, and options that it excludes. */
static void check_flight(const struct options *options, struct argp_state *state)
{
	const struct flight_options *flight = &options->flight;
	const char *needs = flight->on				? "--on"
			    : flight->on_lost			? "--on-lost"
			    : flight->last_ns			? "--last"
			    : flight->max_dumps != UINT64_MAX	? "--max-dumps"
			    : flight->interval_ms != UINT64_MAX ? "--dump-interval"
								: NULL;
	const char *excluded = options->recording.switch_bytes != UINT64_MAX ||
					       options->recording.switch_ms != UINT64_MAX
				       ? "--switch-output"
			       : options->recording.max_bytes != UINT64_MAX ? "--max-size"
			       : options->limits.count != UINT64_MAX	    ? "-n"
			       : options->limits.memory_bytes		    ? "--memory"
									    : NULL;

	if (needs && !flight->bytes)
		argp_error(state, "%s needs --flight SIZE", needs);
	if (excluded && flight->bytes)
		argp_error(state,
			   "%s cannot be used with --flight: its SIZE is the memory of each CPU, "
			   "and --max-dumps its limit",
			   excluded);
	if (flight->bytes && options->output.path && !strcmp(options->output.path, "-"))
		argp_error(state, "--flight needs a file: use -o FILE");
	if (flight->dump_pid &&
	    (flight->bytes || options->sources.name_count || options->sources.map_count))
		argp_error(state, "--dump PID is used alone: PID has the sources and the file");
}

/* Perf events are counted for tasks or cgroups by the kernel, which knows no other filters. */
static void check_count(const struct options *options, struct argp_state *state)
{
	const struct filter_options *filter = &options->filter;
	const char *excluded = filter->by_uid	   ? "-u"
			       : filter->comm	   ? "--comm"
			       : filter->container ? "--container"
			       : filter->pod	   ? "--pod"
			       : filter->unit	   ? "--unit"
						   : NULL;

	if (excluded)
		argp_error(state,
			   "%s cannot be used with --on '%s': perf events are counted for -p, -t, "
			   "--cgroup, COMMAND or all tasks",
			   excluded, options->flight.on);
	if (filter->cgroup && (filter->by_pid || filter->by_tid))
		argp_error(state,
			   "--cgroup and %s cannot be used together with --on '%s': perf events "
			   "are counted for one of them",
			   filter->by_pid ? "-p" : "-t", options->flight.on);
}

/* The expression is for the source of the triggers, if there is one. */
void options_flight__check(struct options *options, struct argp_state *state)
{
	if (options->verb != VERB_RECORD)
		return;
	check_flight(options, state);
	if (options->flight.on_count.is_given)
		check_count(options, state);
	if (!options->flight.on || options->flight.on_count.is_given)
		return;
	options->flight.on_where = options->filter.where;
	options->filter.where = NULL;
}
