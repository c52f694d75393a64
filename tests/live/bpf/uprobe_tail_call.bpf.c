// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* uprobe_tail_call: a program of a function that calls another by a program array. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

int by_tail_call(struct pt_regs *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__array(values, int(void *));
} others SEC(".maps") = {
	.values = { [0] = (void *)&by_tail_call },
};

SEC("uprobe//proc/self/exe:uprobe_links_other") int by_tail_call(struct pt_regs *ctx)
{
	__u32 number = 5;

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &number, sizeof(number));
	return 0;
}

SEC("uprobe//proc/self/exe:uprobe_links_called") int tail_caller(struct pt_regs *ctx)
{
	bpf_tail_call(ctx, &others, 0);
	return 0;
}

char uprobe_tail_call_license[] SEC("license") = "Dual BSD/GPL";
