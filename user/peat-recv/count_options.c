// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-recv/count_options.c: options of --count and --top. */
#include <stdint.h>

#include "cli/options/parse_unit.h"
#include "program.h"

#define TOP_INTERVAL_MS 1000
#define INTERVAL_MS_MAX (24 * 3600 * 1000)

enum { OPTION_SORT = 512, OPTION_TOP };

static const struct argp_option rows[] = {
	{ "top", OPTION_TOP, "EVENT", 0,
	  "count new events of this name at each interval, on a screen that is redrawn", 0 },
	{ "interval", 'i', "TIME", 0,
	  "count new events, and print a table after each TIME: 1 (a second), 500ms, 2m", 0 },
	{ NULL, 'n', "TABLES", 0, "end after TABLES tables; with -i", 0 },
	{ "rows", 'r', "ROWS", 0, "print at most ROWS rows", 0 },
	{ "sort", OPTION_SORT, "COLUMN", 0,
	  "sort rows by this column: count descending, fields of --by ascending; default: count",
	  0 },
	{ "timestamps", 'T', NULL, 0, "print the time of day above each table", 0 },
	{ 0 },
};

static uint64_t parse_count(const char *text, const char *option, struct argp_state *state)
{
	uint64_t count;

	if (!parse_unit__count(text, UINT64_MAX - 1, &count) || !count)
		argp_error(state, "%s '%s': not a number from 1", option, text);
	return count;
}

static uint64_t parse_interval(const char *text, struct argp_state *state)
{
	uint64_t ms;

	if (!parse_unit__time_ms(text, 1000, &ms) || !ms || ms > INTERVAL_MS_MAX)
		argp_error(state, "-i '%s': not a time such as 1, 500ms or 2m, at most 24h", text);
	return ms;
}

static error_t take(int key, char *value, struct argp_state *state)
{
	struct recv_options *options = state->input;
	struct count_options *counts = &options->counts;

	switch (key) {
	case OPTION_TOP:
		counts->top = value;
		return 0;
	case OPTION_SORT:
		options->receiver.sort = value;
		return 0;
	case 'i':
		counts->interval_ms = parse_interval(value, state);
		return 0;
	case 'n':
		counts->tables = parse_count(value, "-n", state);
		return 0;
	case 'r':
		counts->rows = parse_count(value, "-r", state);
		return 0;
	case 'T':
		counts->timestamps = true;
		return 0;
	case ARGP_KEY_END:
		if (counts->top && options->receiver.count)
			argp_error(state, "--count and --top exclude each other");
		options->receiver.count = counts->top ?: options->receiver.count;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp count_options__argp = { .options = rows, .parser = take };

bool count_options__check(const struct recv_options *options)
{
	const struct count_options *counts = &options->counts;
	const bool any = counts->interval_ms || counts->rows || counts->timestamps ||
			 options->receiver.by || options->receiver.sort;

	if (any && !options->receiver.count)
		messages__print("--by, --sort, -i, -r and -T are for --count EVENT and --top "
				"EVENT");
	else if (counts->tables && !counts->interval_ms && !counts->top)
		messages__print("-n is the number of tables and needs -i; -r limits the rows");
	else if (options->receiver.to_end && (counts->interval_ms || counts->top))
		messages__print("-i and --top count until they are ended: leave out --end");
	else
		return true;
	return false;
}

void count_options__finish(struct recv_options *options, bool all)
{
	struct count_options *counts = &options->counts;

	if (counts->top && !counts->interval_ms)
		counts->interval_ms = TOP_INTERVAL_MS;
	counts->tables = counts->tables ?: UINT64_MAX;
	counts->rows = counts->rows ?: UINT64_MAX;
	options->receiver.by = options->receiver.by ?: "host";
	options->receiver.to_end = !counts->interval_ms;
	options->receiver.only_new = counts->interval_ms && !all;
}
