/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_ROWS_H
#define CLI_STAT_ROWS_H

#include <stddef.h>

#include <peat/counters.h>

/* stat_rows.h: the values that peat stat prints, with what is computed from them. */

/* A number computed from several counters. */
struct stat_metric {
	const char *unit; /* "CPUs utilized"; NULL: there is none */
	double number;
	bool is_percent, is_rate; /* is_rate: per second of task-clock */
};

struct stat_row {
	struct peat_counter_value value;
	struct stat_metric metric;
};

struct stat_rows {
	struct stat_row *at;
	size_t count;
};

/*
 * The values of the last peat_counters__read(): a row per event, or if `per_cpu`, per event and
 * CPU.  `elapsed_ns`: the time that they were counted in.  0 or a negative errno.
 */
int stat_rows__read(struct stat_rows *rows, const struct peat_counters *counters, bool per_cpu,
		    uint64_t elapsed_ns);
void stat_rows__free(struct stat_rows *rows);

/* Computes the metric of each row from the rows of its CPU.  0 or -ENOMEM. */
int stat_rows__compute(struct stat_rows *rows, uint64_t elapsed_ns);

/* Whether the row is a clock in ns, which is printed in ms. */
bool stat_rows__is_clock(const struct stat_row *row);

/* The time in which the row was counted, in percent of that in which it was to be. */
double stat_rows__percent(const struct stat_row *row);

#endif /* CLI_STAT_ROWS_H */
