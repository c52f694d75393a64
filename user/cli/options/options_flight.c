// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_flight.c: parses and checks the options of a flight recorder. */
#include <string.h>

#include "cli/options/option_keys.h"
#include "cli/options/options_flight.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

static void parse_last(struct options *options, const char *arg, struct argp_state *state)
{
	uint64_t ms;

	if (!parse_unit__time_ms(arg, 1000, &ms) || !ms || ms > UINT64_MAX / 1000000)
		argp_error(state, "--last '%s': expected a time such as 30s or 500ms", arg);
	options->flight.last_ns = ms * 1000000;
}

static void parse_flight_bytes(struct options *options, const char *arg, struct argp_state *state)
{
	if (!parse_unit__bytes(arg, &options->flight.bytes) || !options->flight.bytes ||
	    options->flight.bytes > 2ULL << 30)
		argp_error(state, "--flight '%s': expected a size such as 4M, at most 2G", arg);
}

/* Options that need --flight, and options that it excludes. */
static void check_flight(const struct options *options, struct argp_state *state)
{
	const char *needs = options->flight.on				? "--on"
			    : options->flight.on_lost			? "--on-lost"
			    : options->flight.last_ns			? "--last"
			    : options->flight.max_dumps != UINT64_MAX	? "--max-dumps"
			    : options->flight.interval_ms != UINT64_MAX ? "--dump-interval"
									: NULL;
	const char *excluded = options->recording.switch_bytes != UINT64_MAX ||
					       options->recording.switch_ms != UINT64_MAX
				       ? "--switch-output"
			       : options->recording.max_bytes != UINT64_MAX ? "--max-size"
			       : options->limits.count != UINT64_MAX	    ? "-n"
			       : options->limits.memory_bytes		    ? "--memory"
									    : NULL;

	if (needs && !options->flight.bytes)
		argp_error(state, "%s needs --flight SIZE", needs);
	if (excluded && options->flight.bytes)
		argp_error(state,
			   "%s cannot be used with --flight: its SIZE is the memory of each CPU, "
			   "and --max-dumps its limit",
			   excluded);
	if (options->flight.bytes && options->output.path && !strcmp(options->output.path, "-"))
		argp_error(state, "--flight needs a file: use -o FILE");
	if (options->flight.dump_pid &&
	    (options->flight.bytes || options->sources.name_count || options->sources.map_count))
		argp_error(state, "--dump PID is used alone: PID has the sources and the file");
}

/* The expression is for the source of the triggers, if there is one. */
static void end_flight(struct options *options, struct argp_state *state)
{
	check_flight(options, state);
	if (!options->flight.on)
		return;
	options->flight.on_where = options->filter.where;
	options->filter.where = NULL;
}

error_t options_flight__parse(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_FLIGHT:
		parse_flight_bytes(options, arg, state);
		return 0;
	case OPT_LAST:
		parse_last(options, arg, state);
		return 0;
	case OPT_ON:
		if (options->flight.on)
			argp_error(state, "--on '%s': only one source can trigger", arg);
		options->flight.on = arg;
		return 0;
	case OPT_ON_LOST:
		options->flight.on_lost = true;
		return 0;
	case OPT_MAX_DUMPS:
		options->flight.max_dumps = parse_value__count(arg, state);
		return 0;
	case OPT_DUMP_INTERVAL:
		options->flight.interval_ms =
			parse_value__time(arg, 1000, UINT64_MAX / 1000000 - 1, state);
		return 0;
	case OPT_DUMP:
		options->flight.dump_pid = parse_value__pid(arg, false, state);
		return 0;
	case ARGP_KEY_END:
		if (options->verb == VERB_RECORD)
			end_flight(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
