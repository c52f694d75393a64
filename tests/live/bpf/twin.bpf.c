// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * twin: emits, without peat's header, a struct for each task that is renamed to "peat#...", to a
 * map called as in most programs.  The type of its second array is in no code.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct event {
	__u32 pid;
	char name[16];
	struct {
		__u32 number;
	} nested;
};

struct renamed {
	__u32 tgid;
	char to[16];
	struct {
		__u32 number;
	} nested;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps"), more_events SEC(".maps");

/* Puts the structs into the BTF. */
struct event last;
struct renamed none;

SEC("raw_tp/task_rename")
int on_rename(struct bpf_raw_tracepoint_args *ctx)
{
	struct event event = { .pid = bpf_get_current_pid_tgid() >> 32 };

	bpf_probe_read_kernel_str(event.name, sizeof(event.name), (const void *)ctx->args[1]);
	if (event.name[0] != 'p' || event.name[1] != 'e' || event.name[2] != 'a' ||
	    event.name[3] != 't' || event.name[4] != '#')
		return 0;
	last = event;
	none.tgid = event.pid;
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	bpf_perf_event_output(ctx, &more_events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
