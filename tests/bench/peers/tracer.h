/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracer.h: a tool that traces in a process of its own, while operations are measured. */
#ifndef BENCH_PEERS_TRACER_H
#define BENCH_PEERS_TRACER_H

#include "process.h"

struct peer_tracer {
	struct peer_process process;
	char errors[64]; /* file of its standard error */
};

/*
 * Starts a tool on a CPU and waits until its programs are attached: until it has the same BPF links
 * and perf events for a while.  0; -ECHILD: it ended, and the first line of its errors has been
 * printed; or another negative errno.
 */
int peer_tracer__start(struct peer_tracer *tracer, const char *const *argv, uint32_t cpu);

/*
 * Ends it.  Stores the events of peat's summary, -1 for other tools, and those that were lost.
 */
void peer_tracer__end(struct peer_tracer *tracer, double *events, double *lost);

#endif /* BENCH_PEERS_TRACER_H */
