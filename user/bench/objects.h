/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* objects.h: the benchmark's BPF objects, compiled into the program. */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include <stddef.h>

struct bench_object {
	const char *name;
	const void *bytes, *end;
};

/* The programs without output, and those over the transports that libbpf reads. */
extern const struct bench_object bench_libbpf;

/* A peat channel; its stage in front of a BPF ring buffer. */
extern const struct bench_object bench_channel, bench_stage_ringbuf;

/* A peat channel whose programs test and count events; the same without peat. */
extern const struct bench_object bench_select, bench_by_hand;

#endif /* BENCH_OBJECTS_H */
