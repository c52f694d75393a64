// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* row_groups.c: sorts rows, and adds up those of a group. */
#include <stdlib.h>

#include "cli/stat/row_groups.h"

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_events(const struct stat_row *one, const struct stat_row *other)
{
	return (one->event > other->event) - (one->event < other->event);
}

static int by_place(const void *one, const void *other)
{
	const struct stat_row *a = one, *b = other;

	return cpu_topology__compare(&a->place, &b->place) ?: compare_events(a, b);
}

static int compare_tids(const struct stat_row *one, const struct stat_row *other)
{
	return (one->value.tid > other->value.tid) - (one->value.tid < other->value.tid);
}

static int by_thread(const void *one, const void *other)
{
	return compare_events(one, other) ?: compare_tids(one, other);
}

static int by_count(const void *one, const void *other)
{
	const struct stat_row *a = one, *b = other;
	int falling = (a->value.scaled < b->value.scaled) - (a->value.scaled > b->value.scaled);

	return compare_events(a, b) ?: falling ?: compare_tids(a, b);
}

static void sort_rows(struct stat_rows *rows, int (*compare)(const void *one, const void *other))
{
	if (rows->count)
		qsort(rows->at, rows->count, sizeof(*rows->at), compare);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_values(struct stat_row *sum, const struct stat_row *row)
{
	sum->value.value += row->value.value;
	sum->value.scaled += row->value.scaled;
	sum->value.amount += row->value.amount;
	sum->value.enabled_ns += row->value.enabled_ns;
	sum->value.running_ns += row->value.running_ns;
	sum->value.lost += row->value.lost;
	sum->cpus += row->cpus;
	if (row->value.status == PEAT_COUNTER_COUNTED)
		sum->value.status = PEAT_COUNTER_COUNTED;
}

/* Adds up neighbours that compare as equal. */
static void merge_equal(struct stat_rows *rows, int (*compare)(const void *one, const void *other))
{
	size_t used = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (used && !compare(&rows->at[used - 1], &rows->at[i]))
			add_values(&rows->at[used - 1], &rows->at[i]);
		else
			rows->at[used++] = rows->at[i];
	}
	rows->count = used;
}

static void forget_cpus(struct stat_rows *rows, enum stat_by by)
{
	for (size_t i = 0; i < rows->count; i++) {
		rows->at[i].value.cpu = -1;
		if (by == STAT_BY_SOCKET)
			rows->at[i].place.die = rows->at[i].place.core = -1;
	}
}

void row_groups__merge(struct stat_rows *rows, enum stat_by by)
{
	bool are_threads = by == STAT_BY_THREAD;
	int (*compare)(const void *, const void *) = are_threads ? by_thread : by_place;

	if (by == STAT_BY_EVENT || by == STAT_BY_CPU)
		return;
	forget_cpus(rows, by);
	sort_rows(rows, compare);
	merge_equal(rows, compare);
	if (are_threads)
		sort_rows(rows, by_count);
}
