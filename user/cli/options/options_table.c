// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_table.c: options of tables: of count, hist and top. */
#include <string.h>

#include <peat/peat.h>

#include "cli/options/option_keys.h"
#include "cli/options/options_table.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

static void set_field(struct options *options, uint32_t value, const char *field,
		      struct argp_state *state)
{
	if (options->table.field && strcmp(options->table.field, field))
		argp_error(state,
			   "--sum, --avg, --min and --max need the same field: '%s', not '%s'",
			   options->table.field, field);
	options->table.field = field;
	options->table.values |= value;
}

static error_t parse_values(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_SUM:
		set_field(options, PEAT_TABLE_SUM, arg, state);
		return 0;
	case OPT_AVERAGE:
		set_field(options, PEAT_TABLE_AVERAGE, arg, state);
		return 0;
	case OPT_MIN:
		set_field(options, PEAT_TABLE_MIN, arg, state);
		return 0;
	case OPT_MAX:
		set_field(options, PEAT_TABLE_MAX, arg, state);
		return 0;
	case OPT_LOG2:
		options->table.values = PEAT_TABLE_LOG2;
		return 0;
	case OPT_LINEAR:
		options->table.values = PEAT_TABLE_LINEAR;
		parse_value__slots(arg, &options->table.linear_first, &options->table.linear_width,
				   state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The last argument of peat hist is the field.  One source alone has a default field. */
static void cut_field(struct options *options, struct argp_state *state)
{
	size_t others = options->sources.map_count + options->sources.events.count;

	if (!options->sources.name_count)
		argp_error(state, "no field: use peat %s SOURCE FIELD",
			   strrchr(state->name, ' ') + 1);
	if (!options->table.values)
		options->table.values = PEAT_TABLE_LOG2;
	if (options->sources.name_count + others < 2)
		return;
	options->table.field = options->sources.names[--options->sources.name_count];
	options->sources.names[options->sources.name_count] = NULL;
}

static error_t parse_table(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_BY:
		options->table.by = arg;
		return 0;
	case OPT_SORT:
		options->table.sort = arg;
		return 0;
	case OPT_TABLE:
		options->table.name = arg;
		return 0;
	case 'i':
		options->output.interval_ms = parse_value__time(arg, 1000, 24 * 3600 * 1000, state);
		if (!options->output.interval_ms)
			argp_error(state, "-i '%s': use 1ms or more", arg);
		return 0;
	case OPT_MAX_ROWS:
		if (!parse_unit__count(arg, UINT32_MAX, &options->table.max_rows))
			argp_error(state, "--max-rows '%s': not a number of rows", arg);
		return 0;
	case 'r':
		options->table.row_count = parse_value__rows(arg, state);
		return 0;
	case ARGP_KEY_END:
		if (options->verb == VERB_HIST)
			cut_field(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

error_t options_table__parse(struct options *options, int key, char *arg, struct argp_state *state)
{
	error_t answer = parse_values(options, key, arg, state);

	return answer == ARGP_ERR_UNKNOWN ? parse_table(options, key, arg, state) : answer;
}
