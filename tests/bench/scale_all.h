/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scale_all.h: how it goes with more of it: larger events, more of them, more programs, more CPUs.
 * The load, the transports and the rounds are those of peat bench.
 */
#ifndef SCALE_ALL_H
#define SCALE_ALL_H

#include "bench.h"

struct scale {
	struct bench bench;
	struct bench_transports
		few;   /* peat with all and with neither, and the peers at their best */
	bool emulated; /* time says nothing, and no best is looked for */
	uint32_t rounds, seconds;
	uint64_t run_ns;
};

/* Each adds rows, or prints its table by itself.  0 or a negative errno, which was complained
 * about. */
int scale__sizes(struct scale *scale);
int scale__rates(struct scale *scale);
int scale__programs(struct scale *scale);
int scale__cpus(struct scale *scale);
int scale__memory(struct scale *scale);
int scale__steady(struct scale *scale);

#endif /* SCALE_ALL_H */
