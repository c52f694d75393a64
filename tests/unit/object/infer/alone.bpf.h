/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* alone.bpf.h: one array, which the code also writes to through a pointer; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct event {
	__u64 a, b, c;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

volatile __u32 amount;

SEC("raw_tp/a") int write_event(void *ctx)
{
	struct event event = { .a = amount };

	return bpf_perf_event_output(ctx, &events, 0, &event, sizeof(event));
}

/* WRITE(bytes): an output of so many bytes. */
#define WRITE(bytes) bpf_perf_event_output(ctx, *(void **)ctx, 0, room, bytes)

SEC("raw_tp/b") int write_through_pointer(void *ctx)
{
	__u64 room[8] = { amount };

	WRITES;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
