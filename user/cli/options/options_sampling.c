// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_sampling.c: options of perf events that are sampled: -g, -F and -c. */
#include <string.h>

#include "cli/options/option_keys.h"
#include "cli/options/options_sampling.h"
#include "cli/options/parse_value.h"

/* The verbs that can sample. */
#define SAMPLING (LIVE | VERB_COUNT | VERB_HIST | VERB_TOP)

static void check_end(const struct options *options, struct argp_state *state)
{
	bool has_any = options->sampling.call_graph || options->sampling.all_tasks ||
		       options->sampling.period || options->sampling.frequency;

	if (has_any && !options->sources.events.count && options->verb & SAMPLING)
		argp_error(state, "-g, -F, -c and -a need -e EVENTS: they are for perf events");
	if (options->sampling.period && options->sampling.frequency)
		argp_error(state, "-F cannot be used with -c: a sample is taken at a rate or at a "
				  "number of events");
}

static void check_call_graph(const char *arg, struct argp_state *state)
{
	if (arg && strcmp(arg, "fp") != 0)
		argp_error(state,
			   "--call-graph '%s': only fp, by frame pointers: --stacks dwarf samples "
			   "registers and memory",
			   arg);
}

error_t options_sampling__parse(struct options *options, int key, char *arg,
				struct argp_state *state)
{
	switch (key) {
	case 'g':
	case OPT_CALL_GRAPH:
		check_call_graph(arg, state);
		options->sampling.call_graph = true;
		return 0;
	case 'F':
		options->sampling.frequency = parse_value__rate(arg, state);
		return 0;
	case 'c':
		options->sampling.period = parse_value__count(arg, state);
		return 0;
	case ARGP_KEY_END:
		check_end(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
