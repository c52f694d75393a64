// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stat_runs.c: adds up the rows of runs, each with the row of the same event and place. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stat/stat_runs.h"

struct run_row {
	struct stat_row row; /* of the first run; its name and unit are copies */
	char *name, *unit;
	struct spread value, scaled, amount, enabled_ns, running_ns;
};

/* ---- adding ---------------------------------------------------------------------------------- */

static bool is_same(const struct run_row *known, const struct stat_row *row)
{
	return known->row.event == row->event && stat_rows__is_same_place(&known->row, row);
}

/* Most runs have the same rows in the same order. */
static struct run_row *find_run_row(const struct stat_runs *runs, const struct stat_row *row,
				    size_t hint)
{
	if (hint < runs->count && is_same(&runs->at[hint], row))
		return &runs->at[hint];
	for (size_t i = 0; i < runs->count; i++)
		if (is_same(&runs->at[i], row))
			return &runs->at[i];
	return NULL;
}

static struct run_row *new_run_row(struct stat_runs *runs, const struct stat_row *row)
{
	struct run_row *at = realloc(runs->at, (runs->count + 1) * sizeof(*at)), *new;

	if (!at)
		return NULL;
	runs->at = at;
	new = &at[runs->count];
	*new = (struct run_row){ .row = *row,
				 .name = strdup(row->value.name),
				 .unit = row->value.unit ? strdup(row->value.unit) : NULL };
	new->row.value.name = new->name;
	new->row.value.unit = new->unit;
	new->row.comm = NULL;
	if (new->name && !new->unit == !row->value.unit) {
		runs->count++;
		return new;
	}
	free(new->name);
	free(new->unit);
	return NULL;
}

static void add_counts(struct run_row *known, const struct stat_row *row)
{
	known->row.cpus = row->cpus > known->row.cpus ? row->cpus : known->row.cpus;
	if (row->value.status != PEAT_COUNTER_COUNTED)
		return;
	known->row.value.status = PEAT_COUNTER_COUNTED;
	spread__add(&known->value, (double)row->value.value);
	spread__add(&known->scaled, (double)row->value.scaled);
	spread__add(&known->amount, row->value.amount);
	spread__add(&known->enabled_ns, (double)row->value.enabled_ns);
	spread__add(&known->running_ns, (double)row->value.running_ns);
}

int stat_runs__add(struct stat_runs *runs, const struct stat_rows *rows,
		   const struct stat_times *times)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct run_row *known = find_run_row(runs, &rows->at[i], i);

		if (!known)
			known = new_run_row(runs, &rows->at[i]);
		if (!known)
			return -ENOMEM;
		add_counts(known, &rows->at[i]);
	}
	spread__add(&runs->elapsed_ns, (double)times->elapsed_ns);
	if (times->has_command) {
		spread__add(&runs->user_s, times->user_s);
		spread__add(&runs->sys_s, times->sys_s);
	}
	return 0;
}

/* ---- means ----------------------------------------------------------------------------------- */

static uint64_t whole(const struct spread *spread)
{
	return spread->mean < (double)UINT64_MAX ? (uint64_t)round(spread->mean) : UINT64_MAX;
}

static struct stat_row mean_row(const struct run_row *known)
{
	struct stat_row row = known->row;

	row.is_mean = true;
	row.value.value = whole(&known->value);
	row.value.scaled = whole(&known->scaled);
	row.value.amount = known->amount.mean;
	row.value.enabled_ns = whole(&known->enabled_ns);
	row.value.running_ns = whole(&known->running_ns);
	row.has_deviation = known->amount.count > 1;
	row.deviation = spread__deviation(&known->amount);
	row.deviation_percent = spread__percent(&known->amount);
	return row;
}

int stat_runs__means(const struct stat_runs *runs, struct stat_rows *rows, struct stat_times *times)
{
	*rows = (struct stat_rows){ 0 };
	for (size_t i = 0; i < runs->count; i++) {
		const struct stat_row row = mean_row(&runs->at[i]);

		if (!stat_rows__add(rows, &row))
			continue;
		stat_rows__free(rows);
		return -ENOMEM;
	}
	times->elapsed_ns = whole(&runs->elapsed_ns);
	times->runs = runs->elapsed_ns.count;
	times->deviation_s = spread__deviation(&runs->elapsed_ns) / 1e9;
	times->deviation_percent = spread__percent(&runs->elapsed_ns);
	times->has_command = runs->user_s.count;
	times->user_s = runs->user_s.mean;
	times->sys_s = runs->sys_s.mean;
	return 0;
}

void stat_runs__free(struct stat_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		free(runs->at[i].name);
		free(runs->at[i].unit);
	}
	free(runs->at);
	*runs = (struct stat_runs){ 0 };
}
