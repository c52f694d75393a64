// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* direct: programs that need a kernel with BTF. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct seen {
	__u32 pid;
};

SEC("tp_btf/sched_process_exit")
int BPF_PROG(follows_pointer, struct task_struct *task)
{
	struct seen *e = peat_reserve(ctx, struct seen);

	if (!e)
		return 0;
	e->pid = task->group_leader->pid;
	return peat_submit(ctx, e);
}

SEC("fentry/do_exit")
int BPF_PROG(at_function)
{
	return 0;
}
