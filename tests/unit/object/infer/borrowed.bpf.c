// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* borrowed: structs of another kernel are as large as its own; opened, never loaded. */
#include "vmlinux_old.h"
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

struct own {
	__u64 a, b, c;
};

struct of_an_old_kernel in_the_btf;

SEC("raw_tp/sys_enter") int write_event(void *ctx)
{
	struct of_another_kernel on_the_stack = { .a = in_the_btf.a };
	struct own event = { .a = on_the_stack.a };

	return bpf_perf_event_output(ctx, &events, 0, &event, sizeof(event));
}

char LICENSE[] SEC("license") = "GPL";
