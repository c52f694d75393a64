// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* exec: programs that are started, with their arguments. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct exec {
	__u32 ppid;
	__u32 uid;
	__u32 args_bytes PEAT_AS(size) PEAT_MINOR
		PEAT_DOC("of all arguments, including those cut off");
	char filename[256] PEAT_MINOR;
	char args[2048] PEAT_AS(strings) PEAT_LEN(args_bytes);
	PEAT_STACKS;
} PEAT_DOC("programs started, with their arguments") PEAT_SUBJECT(tasks)
	PEAT_LIKE("execsnoop, perf trace -e sched:sched_process_exec");

/* The new program's memory has the arguments one after another, each with its NUL. */
static __always_inline __u64 copy_args(struct exec *e, struct task_struct *task)
{
	__u64 start = PEAT_READ(task, mm, arg_start);
	__u64 bytes = PEAT_READ(task, mm, arg_end) - start;

	e->args_bytes = bytes;
	barrier_var(bytes);
	if (bytes > sizeof(e->args))
		bytes = sizeof(e->args);
	if (!bpf_probe_read_user(e->args, bytes, (const void *)start))
		return bytes;
	e->args_bytes = 0;
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	struct exec *e = peat_reserve_stacks(ctx, struct exec);

	if (!e)
		return 0;
	e->ppid = PEAT_READ(task, real_parent, tgid);
	e->uid = bpf_get_current_uid_gid();
	__builtin_memset(e->filename, 0, sizeof(e->filename));
	bpf_probe_read_kernel_str(e->filename, sizeof(e->filename), PEAT_READ(bprm, filename));
	return peat_submit_stacks_bytes(ctx, e,
					__builtin_offsetof(struct exec, args) + copy_args(e, task));
}
