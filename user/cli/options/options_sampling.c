// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_sampling.c: perf events that are sampled. */
#include <string.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_value.h"

/* Without a value: -g. */
static void take_call_graph(void *member, const char *arg, struct argp_state *state)
{
	if (arg && strcmp(arg, "fp") != 0)
		argp_error(state,
			   "--call-graph '%s': only fp, by frame pointers: --stacks dwarf samples "
			   "registers and memory",
			   arg);
	*(bool *)member = true;
}

static void take_rate(void *member, const char *arg, struct argp_state *state)
{
	*(uint32_t *)member = parse_value__rate(arg, state);
}

static void take_sample(void *member, const char *arg, struct argp_state *state)
{
	*(uint32_t *)member |= parse_value__sample(arg, state);
}

const struct option_row options_sampling__rows[] = {
	{ { NULL, 'g', NULL, 0, "sample call chains by frame pointers, as --call-graph fp", 3 },
	  RUN,
	  BY(take_call_graph, sampling.call_graph) },
	{ { "call-graph", 0, "fp", 0, "sample call chains by frame pointers", 3 },
	  RUN,
	  BY(take_call_graph, sampling.call_graph) },
	{ { "freq", 'F', "RATE", 0,
	    "take RATE samples per second and CPU, or as many as the kernel allows: max (default "
	    "4000; each event of tracepoints and breakpoints)",
	    3 },
	  RUN,
	  BY(take_rate, sampling.frequency) },
	{ { "period", 'c', "EVENTS", 0, "take a sample at each EVENTS events", 3 },
	  RUN,
	  BY(option_take__count, sampling.period) },
	{ { "sample", 0, "LIST", 0,
	    "let the kernel sample these with each event, for objects that do not use peat: ip, "
	    "callchain, cgroup, regs_user, stack_user",
	    7 },
	  TRACE,
	  BY(take_sample, sampling.sample) },
	{ { "all-cpus", 'a', NULL, 0, "count all tasks", 2 }, VERB_STAT, INTO(sampling.all_tasks) },
	{ { "all-cpus", 'a', NULL, 0, "events of all tasks, also with COMMAND", 1 },
	  RUN | VERB_PROFILE,
	  INTO(sampling.all_tasks) },
	LAST_ROW,
};

void options_sampling__check(struct options *options, struct argp_state *state)
{
	const struct sampling_options *sampling = &options->sampling;
	bool has_any = sampling->call_graph || sampling->period || sampling->frequency;

	if (has_any && !options->sources.events.count && options->verb & RUN)
		argp_error(state, "-g, -F and -c need -e EVENTS: they are for perf events");
	if (sampling->period && sampling->frequency)
		argp_error(state, "-F cannot be used with -c: a sample is taken at a rate or at a "
				  "number of events");
}
