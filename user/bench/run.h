/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* run.h: one run of a load over a rig: threads that emit and one that reads, each on its own CPU.
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "rig.h"

#define BENCH_PRODUCERS_MAX 64

/* The CPUs that this process may use. */
struct bench_cpus {
	uint32_t producers[BENCH_PRODUCERS_MAX];
	uint32_t count;	 /* of producers */
	uint32_t reader; /* the last CPU; shared with a producer if all CPUs, or the only one, emit
			  */
};

struct bench_load {
	uint32_t producers; /* 0: no events */
	uint32_t per_call;  /* events per system call */
	void (*call)(void); /* emits the events; NULL: getpgid(2) */
	double rate;	    /* events per second of the one producer; 0: unlimited */
	bool whole_calls;   /* at a rate: per_call events in each system call */
	uint64_t run_ns;
	uint64_t linger_ns; /* the reader keeps reading for this time, then drains the rings */
};

struct bench_result {
	uint64_t emitted, delivered;
	uint64_t refused; /* by perf event arrays whose ring was full */
	double emit_ns;	  /* time that all producers spent emitting */
	/*
	 * Cost of one event in the first producer's median millisecond, which excludes milliseconds
	 * in which other tasks used the CPU.  0 at a fixed rate.
	 */
	double event_ns;
	double elapsed_ns; /* from the first event until the rings were drained at the end */
	double reader_ns;  /* CPU time of the reader, also of one in another process */
};

/* 0 or a negative errno, which has been printed. */
int bench_run__read_cpus(struct bench_cpus *cpus);

/* Installs the signal that ends the readers' waits.  Call once, before the first run. */
void bench_run__prepare(void);

/* 0 or a negative errno, which has been printed.  Fills rig->latencies. */
int bench_run__load(struct bench_rig *rig, const struct bench_cpus *cpus,
		    const struct bench_load *load, struct bench_result *result);

#endif /* BENCH_RUN_H */
