// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * named: events that contain their task's name: of one system call by any task, and of a CPU that
 * leaves idle.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "named.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

const volatile __u32 call_number = 0;

static __always_inline void fill(struct named *e)
{
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	e->tid = (__u32)bpf_get_current_pid_tgid();
	e->zero = 0;
}

SEC("raw_tp/sys_enter")
int by_channel(struct bpf_raw_tracepoint_args *ctx)
{
	struct named *e;

	if (ctx->args[1] != call_number)
		return 0;
	e = peat_reserve(ctx, struct named);
	if (!e)
		return 1;
	fill(e);
	return peat_submit(ctx, e);
}

SEC("raw_tp/sys_enter")
int by_itself(struct bpf_raw_tracepoint_args *ctx)
{
	struct named e;

	if (ctx->args[1] != call_number)
		return 0;
	fill(&e);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &e, sizeof(e));
	return 0;
}

SEC("raw_tp/sched_switch")
int by_idle(void *ctx)
{
	struct named e;

	fill(&e);
	if (!e.tid)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &e, sizeof(e));
	return 0;
}
