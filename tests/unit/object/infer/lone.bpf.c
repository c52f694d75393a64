// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* lone: a single struct; events have a variable size; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct lone {
	__u32 bytes;
	char text[60];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} lines SEC(".maps");

volatile __u32 amount;

SEC("raw_tp/sys_enter") int write_line(void *ctx)
{
	struct lone lone = { .bytes = amount };

	return bpf_perf_event_output(ctx, &lines, 0, &lone, 4 + (amount & 31));
}

/* The map is not in the code. */
SEC("raw_tp/sys_exit") int write_somewhere(void *ctx)
{
	struct lone lone = { .bytes = amount };

	return bpf_perf_event_output(ctx, *(void **)ctx, 0, &lone, sizeof(lone));
}

char LICENSE[] SEC("license") = "GPL";
