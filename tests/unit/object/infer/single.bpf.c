// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* single: a single struct; all events have a variable size; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct single {
	__u32 bytes;
	char text[60];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} lines SEC(".maps"), unused SEC(".maps");

volatile __u32 amount;

SEC("raw_tp/sys_enter") int write_line(void *ctx)
{
	struct single single = { .bytes = amount };

	return bpf_perf_event_output(ctx, &lines, 0, &single, 4 + (amount & 31));
}

char LICENSE[] SEC("license") = "GPL";
