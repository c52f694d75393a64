/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench.h: the benchmark: what all workloads share. */
#ifndef BENCH_H
#define BENCH_H

#include "bench_run.h"
#include "bench_table.h"
#include "bench_transports.h"

struct bench {
	bool json, quick;
	const char *only; /* transports: bench_transports__keep() */
	double load;	  /* the average of the machine, before */
	struct bench_cpus cpus;
	struct bench_sizes sizes;
	struct bench_transport best[BENCH_WAYS]; /* of the peers, as the sweep found */
	struct bench_transports transports;
	struct bench_table table;
};

/* A workload, and what it is called.  0 or a negative errno, complained about. */
struct bench_workload {
	const char *name;
	int (*run)(struct bench *bench);
	const char *title;
};

/* NULL behind the last.  The first one finds bench->best, which the others need. */
const struct bench_workload *bench_workload__at(size_t i);

/* What is compared, with the best settings as far as they are known. */
void bench_choose(struct bench *bench);

/* Transports, opened side by side, and programs without output. */
#define BENCH_WITHOUT  2
#define BENCH_RIGS_MAX (BENCH_TRANSPORTS_MAX + BENCH_WITHOUT)

struct bench_rigs {
	struct bench_rig all[BENCH_RIGS_MAX];
	struct bench_result results[BENCH_RIGS_MAX]; /* of the present round */
	size_t count;
};

int bench_rigs__open(struct bench_rigs *rigs, const struct bench_transport *transports,
		     size_t count, const struct bench_events *events);
void bench_rigs__close(struct bench_rigs *rigs);

/* What a round told of the i-th transport becomes rows. */
typedef void (*bench_note_fn)(struct bench *bench, const struct bench_place *place,
			      const struct bench_rigs *rigs, size_t i);

/*
 * A load over each of the transports in turns, `rounds` times, after a warm-up that is not noted.
 * 0 or a negative errno, which was complained about.
 */
int bench_measure(struct bench *bench, const char *workload, struct bench_rigs *rigs,
		  const struct bench_load *load, uint32_t rounds, bench_note_fn note);

/* Memory that a transport takes, in a process of its own; bytes. */
struct bench_memory {
	uint64_t rings, stage, process;
};

int bench_memory__measure(const struct bench *bench, const struct bench_transport *transport,
			  struct bench_memory *memory);

#endif /* BENCH_H */
