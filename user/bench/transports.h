/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* transports.h: the transports that are compared, and the candidate settings of the peers. */
#ifndef BENCH_TRANSPORTS_H
#define BENCH_TRANSPORTS_H

#include "rig.h"

#define BENCH_TRANSPORTS_MAX 24

struct bench_transports {
	struct bench_transport all[BENCH_TRANSPORTS_MAX];
	size_t count;
};

/* Ring sizes, the same for all transports: of a perf ring per CPU, and of the one BPF ring buffer.
 */
struct bench_sizes {
	size_t cpu_bytes, all_bytes;
};

/* 1 MiB per CPU, or less if that were more than 1 % of the RAM.  Powers of two, as rings require.
 */
struct bench_sizes bench_transports__sizes(void);

/* The settings of a peer from which the best one is chosen. */
void bench_transports__candidates(struct bench_transports *transports, enum bench_way way,
				  const struct bench_sizes *sizes);

/* All transports that are compared.  Ratios are relative to the first one. */
void bench_transports__all(struct bench_transports *transports, const struct bench_sizes *sizes,
			   const struct bench_transport best[BENCH_WAYS]);

/*
 * Removes the transports whose name does not match `part`.  The name is "TRANSPORT SETTING"; if a
 * name is equal to `part`, only that one is kept, otherwise all that contain it.  NULL keeps all.
 */
void bench_transports__keep(struct bench_transports *transports, const char *part);

/* The transports of one latency target; 0: woken for each event. */
void bench_transports__for_latency(struct bench_transports *transports,
				   const struct bench_sizes *sizes,
				   const struct bench_transport best[BENCH_WAYS],
				   uint32_t latency_ms);

#endif /* BENCH_TRANSPORTS_H */
