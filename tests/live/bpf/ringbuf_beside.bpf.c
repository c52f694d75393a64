// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ringbuf_beside: an object that has a perf event array and a BPF ring buffer. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { MAP_TYPE_RINGBUF = 27 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

struct {
	__uint(type, MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} unread SEC(".maps");

SEC("raw_tp/sys_enter") int both(void *ctx)
{
	__u32 value = 1;

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &value, sizeof(value));
	bpf_ringbuf_output(&unread, &value, sizeof(value), 0);
	return 0;
}
