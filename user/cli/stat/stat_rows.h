/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_ROWS_H
#define CLI_STAT_ROWS_H

#include <stddef.h>

#include <peat/counters.h>

#include "cli/options/options_stat.h"
#include "cli/stat/cpu_topology.h"

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
	uint32_t event;		/* its number, as of peat_counters__value() */
	struct cpu_place place; /* of a core or socket; otherwise CPU_PLACE_NONE */
	uint32_t cpus;		/* of the core or socket, on which the event was counted */
	const char *comm;	/* of the thread value.tid; NULL: all threads */
	bool is_mean;		/* of the runs of -r */
	bool has_deviation;	/* of two runs or more; the next two are of value.amount */
	double deviation, deviation_percent;
};

struct stat_rows {
	struct stat_row *at;
	size_t count;
};

/*
 * The values of the last peat_counters__read(): a row per event, or per event and CPU, core, socket
 * or thread.  The caller computes the metrics.  0 or a negative errno.
 */
int stat_rows__read(struct stat_rows *rows, const struct peat_counters *counters, enum stat_by by,
		    struct cpu_topology *topology);
void stat_rows__free(struct stat_rows *rows);

/* Appends a copy of the row.  0 or -ENOMEM. */
int stat_rows__add(struct stat_rows *rows, const struct stat_row *row);

/* Whether both rows are of the same CPU, core, socket or thread, or both of all. */
bool stat_rows__is_same_place(const struct stat_row *one, const struct stat_row *other);

/*
 * Computes the metric of each row from the rows of its CPU, core, socket or thread.  `elapsed_ns`:
 * the time that they were counted in.  0 or -ENOMEM.
 */
int stat_rows__compute(struct stat_rows *rows, uint64_t elapsed_ns);

/* Whether the row is a clock in ns, which is printed in ms. */
bool stat_rows__is_clock(const struct stat_row *row);

/* The time in which the row was counted, in percent of that in which it was to be. */
double stat_rows__percent(const struct stat_row *row);

#endif /* CLI_STAT_ROWS_H */
