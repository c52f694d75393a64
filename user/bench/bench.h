/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench.h: the state that all workloads share, and the loop that measures them. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli/base/progress_text.h"
#include "run.h"
#include "table.h"
#include "transports.h"

struct bench {
	bool json, quick;
	struct progress progress; /* the workload, of those that run */
	const char *only;	  /* transports: bench_transports__keep() */
	double load;		  /* load average of the machine, before the start */
	struct bench_cpus cpus;
	struct bench_sizes sizes;
	struct bench_transport best[BENCH_WAYS]; /* of the peers, found by the first workload */
	struct bench_transports transports;
	struct bench_table table;
};

/* ---- workloads.c ----------------------------------------------------------------------------- */

struct bench_workload {
	const char *name;
	int (*run)(struct bench *bench); /* 0 or a negative errno, which has been printed */
	const char *title;
};

/* NULL after the last.  The first workload finds bench->best, which the others need. */
const struct bench_workload *bench_workloads__at(size_t i);

/* Fills bench->transports, using the best settings found so far. */
void bench_workloads__choose_transports(struct bench *bench);

/* Length of a run, number of rounds: less with --quick. */
uint64_t bench_workloads__run_ns(const struct bench *bench, uint64_t ms);
uint32_t bench_workloads__rounds(const struct bench *bench, uint32_t count);

double bench_workloads__lost_percent(const struct bench_result *result);

/* ---- select.c -------------------------------------------------------------------------------- */

/* Whether part of the name of one of its rows is `part`: bench_transports__keep(). */
bool bench_select__has(const char *part);

/* A workload: events that programs test and count. */
int bench_select__measure(struct bench *bench);

/* ---- measure.c ------------------------------------------------------------------------------- */

/* Rigs that are open at the same time: the transports, and programs without output. */
#define BENCH_WITHOUT  2
#define BENCH_RIGS_MAX (BENCH_TRANSPORTS_MAX + BENCH_WITHOUT)

struct bench_rigs {
	struct bench_rig all[BENCH_RIGS_MAX];
	struct bench_result results[BENCH_RIGS_MAX]; /* of the current round */
	size_t count;
};

int bench_measure__open_rigs(struct bench_rigs *rigs, const struct bench_transport *transports,
			     size_t count, const struct bench_events *events);
void bench_measure__close_rigs(struct bench_rigs *rigs);

/* Adds the i-th transport's result of this round to the table. */
typedef void (*bench_add_rows_fn)(struct bench *bench, const struct bench_place *place,
				  const struct bench_rigs *rigs, size_t i);

/*
 * Runs a load over each transport in turn, `rounds` times, after a warm-up whose results are
 * discarded.  Progress is drawn between rounds.  0 or a negative errno, which has been printed.
 */
int bench_measure__rounds(struct bench *bench, const char *workload, struct bench_rigs *rigs,
			  const struct bench_load *load, uint32_t rounds,
			  bench_add_rows_fn add_rows);

/* Memory of a transport, measured in a process of its own; bytes. */
struct bench_memory {
	uint64_t rings, stage, process;
};

int bench_measure__memory(const struct bench *bench, const struct bench_transport *transport,
			  struct bench_memory *memory);

#endif /* BENCH_BENCH_H */
