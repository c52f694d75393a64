/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * table.h: the measured numbers.  A row is one metric of one transport in one workload, with a
 * value per round.  Its ratio is to the first transport of the workload, round by round, so that
 * changes of the machine's speed cancel out.
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
	size_t shown; /* rows that have been printed as text */
};

/* Names a row.  The workload's name is copied; the other strings have to outlive the table. */
struct bench_place {
	const char *workload, *transport, *setting;
};

/* Adds one round of one metric.  Exits if there is no memory. */
void bench_table__add(struct bench_table *table, const struct bench_place *place,
		      const char *metric, const char *unit, double value);

struct bench_spread {
	double median, p25, p75;
};

/* At most BENCH_VALUES_MAX values. */
#define BENCH_VALUES_MAX 256
struct bench_spread bench_table__spread(const double *values, size_t count);

/* Ratio to the first transport.  False if that has no positive value in most rounds. */
bool bench_table__ratio(const struct bench_table *table, const struct bench_row *row,
			double *ratio);

/* Prints the rows added since the last call as text below `title`, one line per transport. */
void bench_table__print(struct bench_table *table, const char *title);

/* Prints all rows as a JSON array. */
void bench_table__print_json(const struct bench_table *table);

void bench_table__free(struct bench_table *table);

#endif /* BENCH_TABLE_H */
