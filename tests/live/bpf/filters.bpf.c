// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* filters: events of the current task, of the target of a signal, and of tasks by their ids. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "filters.bpf.h"

const volatile __u32 getpgid_number = 0;
const volatile __u32 sender_pid = 0;
const volatile int signal_number = 0;

SEC("raw_tp/sys_enter")
int of_current(struct bpf_raw_tracepoint_args *ctx)
{
	struct called *e;

	if (ctx->args[1] != getpgid_number)
		return 0;
	e = peat_reserve(ctx, struct called);
	if (!e)
		return 0;
	e->check = FILTERS_CHECK;
	return peat_submit(ctx, e);
}

SEC("tp_btf/signal_generate")
int BPF_PROG(of_target, int sig, void *info, struct task_struct *task)
{
	struct told *e;

	if (sig != signal_number || bpf_get_current_pid_tgid() >> 32 != sender_pid)
		return 0;
	e = peat_reserve_for(ctx, struct told, task);
	if (!e)
		return 0;
	e->check = FILTERS_CHECK;
	return peat_submit(ctx, e);
}

SEC("raw_tp/sys_enter")
int of_given(struct bpf_raw_tracepoint_args *ctx)
{
	struct told *e = peat_reserve(ctx, struct told);

	if (!e)
		return 1;
	e->check = FILTERS_CHECK;
	peat_set_task(e, ctx->args[0], ctx->args[1]);
	return peat_submit(ctx, e);
}

/* args[0]: whether the filters accept the running task.  They do not apply to the event. */
SEC("raw_tp/sys_enter")
int of_accepted(struct bpf_raw_tracepoint_args *ctx)
{
	struct told *e;

	if (peat_accepts_current() != ctx->args[0])
		return 1;
	e = peat_reserve_accepted(ctx, struct told);
	if (!e)
		return 1;
	e->check = FILTERS_CHECK;
	peat_set_task(e, 1234567, 7654321);
	return peat_submit(ctx, e);
}
