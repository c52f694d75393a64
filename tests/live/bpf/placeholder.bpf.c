// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * placeholder: two arrays with a value type that is not the events', the idiom of Tetragon.  Each
 * getpgid(2) of one process emits an event of 24 bytes to one, and of a computed size to the other.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct event {
	int event;
};

struct message {
	__u64 number;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, int);
	__type(value, struct event);
} messages SEC(".maps"), trimmed SEC(".maps");

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
volatile __u32 bytes = sizeof(struct message);

SEC("raw_tp/sys_enter")
int placeholder(struct bpf_raw_tracepoint_args *ctx)
{
	struct message message = { .number = 7 };
	__u32 size = bytes;

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	bpf_get_current_comm(message.comm, sizeof(message.comm));
	bpf_perf_event_output(ctx, &messages, BPF_F_CURRENT_CPU, &message, sizeof(message));
	if (size <= sizeof(message))
		bpf_perf_event_output(ctx, &trimmed, BPF_F_CURRENT_CPU, &message, size);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
