// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hello.bpf.c: a probe, for the other examples and for peat trace ./hello.bpf.o
 *
 *	peat build hello.bpf.c
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct hello {
	__u32 ppid PEAT_DOC("the process that started it");
	char filename[128];
} PEAT_DOC("programs that say hello");

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	struct hello *e = peat_reserve(ctx, struct hello);

	if (!e)
		return 0;
	e->ppid = task->real_parent->tgid;
	bpf_probe_read_kernel_str(e->filename, sizeof(e->filename), bprm->filename);
	return peat_submit(ctx, e);
}
