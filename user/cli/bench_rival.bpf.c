// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench_rival: the load over peat's stage, whose frames go to a BPF ring buffer: the same code in
 * front of it, so that what differs is the ring.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "bench_load.bpf.h"

struct {
	__uint(type, BENCH_RINGBUF);
	__uint(max_entries, 1 << 16); /* set by the loader */
} bench_ring SEC(".maps");

#define bpf_perf_event_output(ctx, map, flags, data, size)                                         \
	bpf_ringbuf_output(&bench_ring, data, size, bench_wakeup(&bench_ring))

#include <peat/peat.bpf.h>

#include "bench_staged.bpf.h"
