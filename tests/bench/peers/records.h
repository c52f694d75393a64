/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* records.h: recordings of stock perf and peat, for workloads that make some. */
#ifndef BENCH_PEERS_RECORDS_H
#define BENCH_PEERS_RECORDS_H

#include <stdint.h>
#include <sys/types.h>

struct bench_rig;

/* Makes the rig's program write into the ring that a process has opened for its CPU.  0 or -errno.
 */
int peer_records__lend_ring(struct bench_rig *rig, pid_t pid);

/* Counts the samples of any recording by peat replay --stats.  0 or -errno. */
int peer_records__count_samples(const char *path, uint64_t *samples);

#endif /* BENCH_PEERS_RECORDS_H */
