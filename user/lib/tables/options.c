// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/options.c: the options of a table, checked and copied. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/opts.h"
#include "tables/options.h"

#define HISTOGRAMS (PEAT_TABLE_LOG2 | PEAT_TABLE_LINEAR)
#define ALL_VALUES (2 * PEAT_TABLE_LINEAR - 1)

/* What is wrong with the options; NULL: nothing. */
static const char *mistake(const struct peat_table_opts *opts)
{
	uint32_t computed = opts->values & ~(uint32_t)PEAT_TABLE_COUNT;

	if (opts->values & ~(uint32_t)ALL_VALUES)
		return "values has unknown bits: use PEAT_TABLE_*";
	if (computed && !opts->field)
		return "values are computed from a number: set field";
	if (!computed && opts->field)
		return "nothing is computed from field: set values, such as PEAT_TABLE_SUM";
	if ((opts->values & HISTOGRAMS) == HISTOGRAMS)
		return "LOG2 and LINEAR exclude each other: make two tables";
	if (opts->values & PEAT_TABLE_LINEAR && !opts->linear_width)
		return "linear_width is 0: set it to the width of a slot";
	return NULL;
}

/* An empty string is as good as NULL. */
static void drop_empty(const char **text)
{
	if (*text && !**text)
		*text = NULL;
}

/* The options with the caller's strings. */
static int read_callers(struct peat_table_opts *opts, const struct peat_table_opts *callers)
{
	int err = opts__read(opts, sizeof(*opts), callers, "peat_table_opts");
	const char *wrong;

	if (!err)
		err = OPTS_CHECK_RESERVED(opts, "peat_table_opts");
	if (err)
		return err;
	drop_empty(&opts->by);
	drop_empty(&opts->field);
	drop_empty(&opts->sort);
	wrong = mistake(opts);
	if (!wrong)
		return 0;
	log__error("peat_table_opts: %s", wrong);
	return -EINVAL;
}

int table_options__read(struct peat_table_opts *ours, const struct peat_table_opts *callers)
{
	const struct peat_table_opts defaults = PEAT_TABLE_OPTS_INIT;
	struct peat_table_opts opts = defaults;
	int err = read_callers(&opts, callers), errs[3];

	*ours = err ? defaults : opts;
	if (err)
		return err;
	ours->values |= PEAT_TABLE_COUNT;
	errs[0] = opts__copy_text(&ours->by);
	errs[1] = opts__copy_text(&ours->field);
	errs[2] = opts__copy_text(&ours->sort);
	if (!errs[0] && !errs[1] && !errs[2])
		return 0;
	table_options__free(ours);
	return -ENOMEM;
}

void table_options__free(struct peat_table_opts *opts)
{
	free((char *)opts->by);
	free((char *)opts->field);
	free((char *)opts->sort);
	opts->by = opts->field = opts->sort = NULL;
}
