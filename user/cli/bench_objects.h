/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include <stddef.h>

/* A BPF object of the benchmark, compiled into the program. */
struct bench_object {
	const char *name;
	const void *bytes, *end;
};

/* The transports that libbpf reads, and none. */
extern const struct bench_object bench_peers;

/* A channel of peat's; its stage before a ring buffer; both with local locks. */
extern const struct bench_object bench_channel, bench_rival, bench_local, bench_rival_local;

#endif /* BENCH_OBJECTS_H */
