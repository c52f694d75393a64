// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* no_target: a program for a tracepoint that no kernel has. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

SEC("tp_btf/no_such_tracepoint") int no_target(void *ctx)
{
	__u32 value = 0;

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &value, sizeof(value));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
