/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_table.h: what was measured.  A row is one metric of one transport in one workload, with a
 * value of each round; its ratio is to the first transport of that workload, round by round, so
 * that what the machine does meanwhile falls out.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define BENCH_ROUNDS_MAX 32

struct bench_row {
	char workload[32];
	const char *transport;
	char setting[48];
	const char *metric, *unit;
	double rounds[BENCH_ROUNDS_MAX];
	size_t count;
};

struct bench_table {
	struct bench_row *rows;
	size_t count, room;
	size_t shown; /* rows that were printed as text */
};

/* Names the rows that are added next; all but the workload's name is kept as it is. */
struct bench_place {
	const char *workload, *transport, *setting;
};

/* One more round of one metric.  Ends the program when memory has run out. */
void bench_table__add(struct bench_table *table, const struct bench_place *place,
		      const char *metric, const char *unit, double value);

struct bench_spread {
	double median, p25, p75;
};

/* Of at most BENCH_VALUES_MAX values. */
#define BENCH_VALUES_MAX 256
struct bench_spread bench_spread(const double *values, size_t count);

/* Of this row to the first transport's.  False if there is none: that has nothing in most rounds.
 */
bool bench_table__ratio(const struct bench_table *table, const struct bench_row *row,
			double *ratio);

/* As text: the rows since the last call, a line a transport, below `title`. */
void bench_table__print(struct bench_table *table, const char *title);

/* As JSON: all rows, an array. */
void bench_table__print_json(const struct bench_table *table);

void bench_table__free(struct bench_table *table);

#endif /* BENCH_TABLE_H */
