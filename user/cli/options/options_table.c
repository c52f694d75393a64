// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_table.c: tables of count, hist and top. */
#include <string.h>

#include <peat/peat.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

static void set_field(struct table_options *table, uint32_t value, const char *field,
		      struct argp_state *state)
{
	if (table->field && strcmp(table->field, field))
		argp_error(state,
			   "--sum, --avg, --min and --max need the same field: '%s', not '%s'",
			   table->field, field);
	table->field = field;
	table->values |= value;
}

static void take_sum(void *member, const char *arg, struct argp_state *state)
{
	set_field(member, PEAT_TABLE_SUM, arg, state);
}

static void take_average(void *member, const char *arg, struct argp_state *state)
{
	set_field(member, PEAT_TABLE_AVERAGE, arg, state);
}

static void take_min(void *member, const char *arg, struct argp_state *state)
{
	set_field(member, PEAT_TABLE_MIN, arg, state);
}

static void take_max(void *member, const char *arg, struct argp_state *state)
{
	set_field(member, PEAT_TABLE_MAX, arg, state);
}

static void take_log2(void *member, const char *arg, struct argp_state *state)
{
	struct table_options *table = member;

	(void)arg;
	(void)state;
	table->values = PEAT_TABLE_LOG2;
}

static void take_linear(void *member, const char *arg, struct argp_state *state)
{
	struct table_options *table = member;

	table->values = PEAT_TABLE_LINEAR;
	parse_value__slots(arg, &table->linear_first, &table->linear_width, state);
}

static void take_rows(void *member, const char *arg, struct argp_state *state)
{
	*(uint64_t *)member = parse_value__rows(arg, state);
}

static void take_max_rows(void *member, const char *arg, struct argp_state *state)
{
	if (!parse_unit__count(arg, UINT32_MAX, member))
		argp_error(state, "--max-rows '%s': not a number of rows", arg);
}

const struct option_row options_table__rows[] = {
	{ { "by", 0, "FIELD,...", 0,
	    "count the events of each value of these fields: fields of the event, or pid, tid, "
	    "comm, cpu, type or stack",
	    2 },
	  TALLY,
	  INTO(table.by) },
	{ { "table", 0, "NAME", 0,
	    "print this table that a source keeps itself (default: all, if there are any and no "
	    "option selects or counts events)",
	    2 },
	  COUNT,
	  INTO(table.name) },
	{ { "sum", 0, "FIELD", 0, "also the sum of this field", 2 }, COUNT, BY(take_sum, table) },
	{ { "avg", 0, "FIELD", 0, "also its average", 2 }, COUNT, BY(take_average, table) },
	{ { "min", 0, "FIELD", 0, "also its smallest value", 2 }, COUNT, BY(take_min, table) },
	{ { "max", 0, "FIELD", 0, "also its largest value", 2 }, COUNT, BY(take_max, table) },
	{ { "log2", 0, NULL, 0, "each bar is twice as wide as the one before (default)", 2 },
	  VERB_HIST,
	  BY(take_log2, table) },
	{ { "linear", 0, "FIRST:WIDTH", OPTION_ARG_OPTIONAL,
	    "64 bars of the same width, from FIRST on: 0:10, 0:1ms, 0:4K (default 0:1)", 2 },
	  VERB_HIST,
	  BY(take_linear, table) },
	{ { "rows", 'r', "ROWS", 0, "print at most ROWS rows, the first by --sort", 7 },
	  TALLY | VERB_PROFILE,
	  BY(take_rows, table.row_count) },
	{ { "max-rows", 0, "N", 0,
	    "count the keys after the first N together, in the row \"others\" (default: 100000; "
	    "0: no limit)",
	    7 },
	  TALLY,
	  BY(take_max_rows, table.max_rows) },
	{ { "sort", 0, "COLUMN", 0,
	    "sort rows by this column: values descending, fields of --by ascending (default: "
	    "count)",
	    7 },
	  TALLY,
	  INTO(table.sort) },
	{ { "sort", 0, "COLUMN", 0, "sort functions by self (default) or total", 7 },
	  VERB_PROFILE,
	  INTO(table.sort) },
	LAST_ROW,
};

/*
 * The last argument of peat hist is the field.  One source alone has a default field, and a map
 * alone may be a histogram.
 */
void options_table__check(struct options *options, struct argp_state *state)
{
	struct source_options *sources = &options->sources;
	struct table_options *table = &options->table;
	size_t others = sources->map_count + sources->events.count;

	if (options->verb != VERB_HIST)
		return;
	if (!sources->name_count && (sources->map_count != 1 || sources->events.count))
		argp_error(state, "no field: use peat %s SOURCE FIELD",
			   strrchr(state->name, ' ') + 1);
	if (!table->values)
		table->values = PEAT_TABLE_LOG2;
	if (!sources->name_count || sources->name_count + others < 2)
		return;
	table->field = sources->names[--sources->name_count];
	sources->names[sources->name_count] = NULL;
}
