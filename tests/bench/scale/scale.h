/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scale.h: scaling with the size and rate of events and with the number of programs and CPUs.  Uses
 * the load, the transports and the rounds of peat bench.
 */
#ifndef BENCH_SCALE_SCALE_H
#define BENCH_SCALE_SCALE_H

#include "bench/bench.h"

struct scale {
	struct bench bench;
	struct bench_transports few; /* peat with time and ids, with neither, and the best peers */
	bool emulated;		     /* times mean nothing; the best settings are assumed */
	uint32_t rounds, seconds;
	uint64_t run_ns;
};

/* Each adds rows, or prints a table of its own.  0 or a negative errno, which has been printed. */
int scale_load__sizes(struct scale *scale);
int scale_load__rates(struct scale *scale);
int scale_load__programs(struct scale *scale);
int scale_load__cpus(struct scale *scale);
int scale_memory__measure(struct scale *scale);
int scale_steady__measure(struct scale *scale);

#endif /* BENCH_SCALE_SCALE_H */
