/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_run.h: one run of a load over a rig: threads that emit, and one that reads, each on its
 * CPU. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench_rig.h"

#define BENCH_PRODUCERS_MAX 64

/* The CPUs that may be used. */
struct bench_cpus {
	uint32_t producers[BENCH_PRODUCERS_MAX];
	uint32_t count;	 /* of producers */
	uint32_t reader; /* the last one: with one CPU, or all producers, somebody shares it */
};

struct bench_load {
	uint32_t producers; /* 0: nothing is emitted */
	uint32_t per_call;  /* events of one system call */
	void (*call)(void); /* what emits them, instead of a getpgid(2) */
	double rate;	    /* events a second of the one producer; 0: as many as it can */
	bool whole_calls;   /* at that rate, too, per_call events of each system call */
	uint64_t run_ns;
	uint64_t linger_ns; /* the reader goes on for so long; then it takes all that is left */
};

struct bench_result {
	uint64_t emitted, delivered;
	uint64_t refused; /* by perf event arrays whose ring was full */
	double emit_ns;	  /* the time that all producers spent emitting */
	/*
	 * Of one event, in the median millisecond of the first producer: one in which something
	 * else got the CPU does not count.  0 at a fixed rate.
	 */
	double event_ns;
	double elapsed_ns; /* from the first event until the rings were empty in the end */
	double reader_ns;  /* CPU time of the reader, be it a process of its own */
};

/* 0 or a negative errno, which was complained about. */
int bench_cpus__read(struct bench_cpus *cpus);

/* Makes it possible to end the readers' waits.  Once, before the first run. */
void bench_run__prepare(void);

/* 0 or a negative errno, which was complained about.  rig->latencies are those of this run. */
int bench_run(struct bench_rig *rig, const struct bench_cpus *cpus, const struct bench_load *load,
	      struct bench_result *result);

#endif /* BENCH_RUN_H */
