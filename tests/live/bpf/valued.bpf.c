// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* valued: a perf event array with the size of its values and another type of them. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct event {
	__u64 number, other;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__type(value, struct event);
} events SEC(".maps");

SEC("raw_tp/sys_enter")
int valued(void *ctx)
{
	struct event event = { 1, 2 };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
