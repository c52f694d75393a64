// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* far: an array on a NUMA node that does not exist. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { MAP_NUMA_NODE = 1 << 2 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(map_flags, MAP_NUMA_NODE);
	__uint(numa_node, 900);
} events SEC(".maps");

SEC("raw_tp/sys_enter") int emit(void *ctx)
{
	__u64 number = 1;

	return (int)bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &number, sizeof(number));
}
