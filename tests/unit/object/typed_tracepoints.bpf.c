// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* typed_tracepoints: programs of tp_btf beside others, and text like their sections' names. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct seen {
	__u32 pid;
};

char text[] = "tp_btf/sched_switch";

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev)
{
	struct seen *e = peat_reserve(ctx, struct seen);

	if (!e)
		return 0;
	e->pid = PEAT_READ(prev, group_leader, pid);
	return peat_submit(ctx, e);
}

SEC("?tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
	struct seen *e = peat_reserve(ctx, struct seen);

	if (!e)
		return 0;
	e->pid = PEAT_READ(task, pid);
	return peat_submit(ctx, e);
}

/* Its section has no relocations. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new)
{
	return 0;
}

SEC("raw_tp/sys_enter")
int on_enter(void *ctx)
{
	return text[0];
}

SEC("tp/tp_btf/sys_enter")
int on_tracepoint(void *ctx)
{
	return 1;
}

/* The same tracepoint as of raw_tp. */
SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter_typed)
{
	return 0;
}

/* The target is set by the loader. */
SEC("tp_btf")
int without_target(void *ctx)
{
	return 0;
}
