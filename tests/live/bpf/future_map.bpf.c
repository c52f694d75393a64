// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* future_map: a map of a type that no kernel has, and programs with and without it. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

struct {
	__uint(type, 9999);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} future SEC(".maps");

SEC("raw_tp/sys_enter") int with_it(void *ctx)
{
	__u32 key = 0;

	return bpf_map_lookup_elem(&future, &key) ? 1 : 2;
}

SEC("raw_tp/sys_enter") int without_it(void *ctx)
{
	__u64 event = 1;

	return (int)bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
