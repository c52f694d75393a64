// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* nested_maps: a map of maps whose inner map only its loader can supply. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, int);
	__type(value, int);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(__u32));
} by_cgroup SEC(".maps");

SEC("raw_tp/sys_enter")
int nested(void *ctx)
{
	__u64 key = 0;

	if (bpf_map_lookup_elem(&by_cgroup, &key))
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &key, sizeof(key));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
