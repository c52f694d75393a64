/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * load.bpf.h: the load that every transport gets: each getpgid(2) of one process emits
 * bench_control.per_call events.
 */
#ifndef BENCH_BPF_LOAD_BPF_H
#define BENCH_BPF_LOAD_BPF_H

#include "bench.bpf.h"

const volatile struct bench_setup bench_setup SEC(".rodata.bench") = {};
volatile struct bench_control bench_control SEC(".data.bench") = {};

enum { BENCH_RINGBUF = 27 };			      /* BPF_MAP_TYPE_RINGBUF */
enum { BENCH_NO_WAKEUP = 1, BENCH_FORCE_WAKEUP = 2 }; /* BPF_RB_* */
enum { BENCH_AVAIL_DATA = 0 };			      /* of bpf_ringbuf_query() */

/* Writes the whole event, as a real program does. */
static __always_inline void bench_fill(__u64 *words, const __u32 count)
{
	words[0] = bench_setup.stamped ? bpf_ktime_get_ns() : 1;
#pragma clang loop unroll(full)
	for (__u32 i = 1; i < count; i++)
		words[i] = i;
}

/* Like the kernel's own benchmark: wakes the reader at wake_bytes, not for each event. */
static __always_inline __u64 bench_wakeup(void *ring)
{
	if (bench_setup.wake_bytes == BENCH_WAKE_DEFAULT)
		return 0;
	if (bench_setup.wake_bytes == BENCH_WAKE_NEVER)
		return BENCH_NO_WAKEUP;
	return bpf_ringbuf_query(ring, BENCH_AVAIL_DATA) >= bench_setup.wake_bytes
		       ? BENCH_FORCE_WAKEUP
		       : BENCH_NO_WAKEUP;
}

/*
 * `emit` is a separate function, so that the verifier checks it once and not in each iteration.
 * Every program has the cost of the call and the loop, including the one without output.
 */
#define BENCH_PROGRAM(name, emit)                                                                  \
	SEC("raw_tp/sys_enter")                                                                    \
	int name(struct bpf_raw_tracepoint_args *ctx)                                              \
	{                                                                                          \
		__u32 count = bench_control.per_call;                                              \
                                                                                                   \
		if (ctx->args[1] != bench_setup.syscall ||                                         \
		    bpf_get_current_pid_tgid() >> 32 != bench_setup.pid)                           \
			return 0;                                                                  \
		for (__u32 i = 0; i < BENCH_PER_CALL_MAX && i < count; i++)                        \
			emit(ctx);                                                                 \
		return 0;                                                                          \
	}

#endif /* BENCH_BPF_LOAD_BPF_H */
