/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include <stddef.h>

/* A BPF object of the benchmark, compiled into the program. */
struct bench_object {
	const char *name;
	const void *bytes, *end;
};

/* The transports that libbpf reads, and none; a channel of peat's; its stage before a ring buffer.
 */
extern const struct bench_object bench_peers, bench_channel, bench_rival;

#endif /* BENCH_OBJECTS_H */
