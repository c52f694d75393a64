// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_libbpf: the load without output, and over the transports that libbpf reads. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "load.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} bench_perf SEC(".maps");

struct {
	__uint(type, BENCH_RINGBUF);
	__uint(max_entries, 1 << 16); /* set by the loader */
} bench_ring SEC(".maps");

/* For events beyond the stack's 512 bytes. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64[128]);
} bench_scratch SEC(".maps");

/* ---- no output ------------------------------------------------------------------------------- */

__noinline int bench_emit_none(struct bpf_raw_tracepoint_args *ctx)
{
	asm volatile("" ::"r"(ctx));
	return 0;
}

BENCH_PROGRAM(bench_none, bench_emit_none)

/* The least cost of an event that has a timestamp. */
__noinline int bench_emit_clock(struct bpf_raw_tracepoint_args *ctx)
{
	asm volatile("" ::"r"(ctx));
	bpf_ktime_get_ns();
	return 0;
}

BENCH_PROGRAM(bench_clock, bench_emit_clock)

/* ---- a perf event array ---------------------------------------------------------------------- */

static __always_inline int output(void *ctx, __u64 *event, const __u32 words)
{
	bench_fill(event, words);
	if (bpf_perf_event_output(ctx, &bench_perf, BPF_F_CURRENT_CPU, event, words * 8))
		__sync_fetch_and_add(&bench_control.refused, 1);
	return 0;
}

static __always_inline int output_long(void *ctx)
{
	__u64 *event = bpf_map_lookup_elem(&bench_scratch, &(__u32){ 0 });

	return event ? output(ctx, event, 128) : 0;
}

__noinline int bench_emit_perf(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 event[32];

	switch (bench_setup.bytes) {
	case 16:
		return output(ctx, event, 2);
	case 64:
		return output(ctx, event, 8);
	case 256:
		return output(ctx, event, 32);
	default:
		return output_long(ctx);
	}
}

BENCH_PROGRAM(bench_perf_buffer, bench_emit_perf)

/* ---- a BPF ring buffer ----------------------------------------------------------------------- */

static __always_inline int submit(const __u32 words)
{
	__u64 *event = bpf_ringbuf_reserve(&bench_ring, words * 8, 0);

	if (!event)
		return 0;
	bench_fill(event, words);
	bpf_ringbuf_submit(event, bench_wakeup(&bench_ring));
	return 0;
}

__noinline int bench_emit_ring(struct bpf_raw_tracepoint_args *ctx)
{
	asm volatile("" ::"r"(ctx));
	switch (bench_setup.bytes) {
	case 16:
		return submit(2);
	case 64:
		return submit(8);
	case 256:
		return submit(32);
	default:
		return submit(128);
	}
}

BENCH_PROGRAM(bench_ring_buffer, bench_emit_ring)
