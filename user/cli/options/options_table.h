/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_table.h: tables of count, hist and top. */
#ifndef CLI_OPTIONS_TABLE_H
#define CLI_OPTIONS_TABLE_H

#include "cli/options/option_row.h"

/*
 * The default of --max-rows.  A key takes some 400 bytes in count and top, the copies of its row
 * and its text included, and 2 KiB in hist.
 */
#define OPTIONS_MAX_ROWS 100000

/* See struct peat_table_opts. */
struct table_options {
	const char *by, *field, *sort, *name;
	bool by_stack; /* `by` has "stack" */
	uint32_t values;
	int64_t linear_first;
	uint64_t linear_width;
	uint64_t row_count; /* UINT64_MAX: all */
	uint64_t max_rows;  /* of tables of events; 0: unlimited */
};

extern const struct option_row options_table__rows[];

void options_table__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_TABLE_H */
