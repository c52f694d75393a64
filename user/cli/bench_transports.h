/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_transports.h: who is compared, and the settings that are tried for the best of the peers.
 */
#ifndef BENCH_TRANSPORTS_H
#define BENCH_TRANSPORTS_H

#include "bench_rig.h"

#define BENCH_TRANSPORTS_MAX 14

struct bench_transports {
	struct bench_transport all[BENCH_TRANSPORTS_MAX];
	size_t count;
};

/* The same for everybody: of the perf ring of a CPU, and of the one BPF ring buffer. */
struct bench_sizes {
	size_t cpu_bytes, all_bytes;
};

/* 1 MiB a CPU, less where that were much of the memory.  A power of two, as rings have to be. */
struct bench_sizes bench_transports__sizes(void);

/* Settings of a peer from which the best is to be found. */
void bench_transports__candidates(struct bench_transports *transports, enum bench_way way,
				  const struct bench_sizes *sizes);

/* All that are compared; the first one is what the others' ratios are to. */
void bench_transports__all(struct bench_transports *transports, const struct bench_sizes *sizes,
			   const struct bench_transport best[BENCH_WAYS]);

/*
 * Leaves those that are called `part`, or that have it in what they are called: their name, a blank
 * and the setting.  NULL: all.
 */
void bench_transports__keep(struct bench_transports *transports, const char *part);

/* Those of one latency target; 0: woken for each event. */
void bench_transports__for_latency(struct bench_transports *transports,
				   const struct bench_sizes *sizes,
				   const struct bench_transport best[BENCH_WAYS],
				   uint32_t latency_ms);

#endif /* BENCH_TRANSPORTS_H */
