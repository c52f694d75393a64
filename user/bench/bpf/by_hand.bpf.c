// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_by_hand: what the workload select does, written by hand for one purpose each. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "load.bpf.h"
#include "event.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct bench_comm {
	char name[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} bench_counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct bench_comm);
	__type(value, __u64);
} bench_comms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} bench_slots SEC(".maps");

/* No event: the cost of the load itself. */
__noinline int bench_emit_load(struct bpf_raw_tracepoint_args *ctx)
{
	asm volatile("" ::"r"(ctx));
	bench_number++;
	return 0;
}

BENCH_PROGRAM(bench_load, bench_emit_load)

__noinline int bench_emit_test(struct bpf_raw_tracepoint_args *ctx)
{
	struct bench_event event;

	asm volatile("" ::"r"(ctx));
	bench_fill_event(&event, bench_number++);
	asm volatile("" ::"r"(&event) : "memory"); /* or clang leaves the event out */
	if (event.delay > 5000)
		bench_number++;
	return 0;
}

BENCH_PROGRAM(bench_test, bench_emit_test)

static __always_inline void count(void *map, const void *key)
{
	__u64 one = 1, *value = bpf_map_lookup_elem(map, key);

	if (value)
		++*value;
	else
		bpf_map_update_elem(map, key, &one, 0);
}

__noinline int bench_emit_count(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 group = bench_group(bench_number++);

	asm volatile("" ::"r"(ctx));
	count(&bench_counts, &group);
	return 0;
}

BENCH_PROGRAM(bench_count, bench_emit_count)

__noinline int bench_emit_comm(struct bpf_raw_tracepoint_args *ctx)
{
	struct bench_comm comm;

	asm volatile("" ::"r"(ctx));
	bench_number++;
	bpf_get_current_comm(&comm, sizeof(comm));
	count(&bench_comms, &comm);
	return 0;
}

BENCH_PROGRAM(bench_comm, bench_emit_comm)

__noinline int bench_emit_log2(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 delay = bench_delay(bench_number++), *slot;
	__u32 log2 = 0;

	asm volatile("" ::"r"(ctx));
#pragma clang loop unroll(full)
	for (__u32 bits = 8; bits; bits /= 2) /* a delay has 10 bits */
		if (delay >> bits) {
			log2 += bits;
			delay >>= bits;
		}
	slot = bpf_map_lookup_elem(&bench_slots, &log2);
	if (slot)
		++*slot;
	return 0;
}

BENCH_PROGRAM(bench_log2, bench_emit_log2)
