// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unsized: an object without peat's header, whose maps are completed by its loader, as agents in Go
 * do it: no sizes of keys and values, no numbers of entries, too few slots.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct event {
	__u32 number;
	__s64 balance;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} bare SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, struct event);
	__type(value, struct event);
	__uint(max_entries, 1);
} valued SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(key_size, sizeof(__u32));
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__type(key, __u32);
	__type(value, __u64);
} table SEC(".maps");

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;

SEC("raw_tp/sys_enter")
int unsized(struct bpf_raw_tracepoint_args *ctx)
{
	struct event event = { .balance = -5 };
	__u32 key = 2;
	__u64 one = 1, *third = bpf_map_lookup_elem(&table, &key);

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	event.number = third ? 3 : 0;
	bpf_map_update_elem(&counts, &key, &one, 0);
	bpf_get_stackid(ctx, &stacks, 0);
	bpf_get_current_comm(event.comm, sizeof(event.comm));
	bpf_perf_event_output(ctx, &valued, BPF_F_CURRENT_CPU, &event, sizeof(event));
	bpf_perf_event_output(ctx, &bare, BPF_F_CURRENT_CPU, &event.number, sizeof(event.number));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
