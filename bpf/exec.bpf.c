// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* exec: every program that is started, with its arguments. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "exec.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

/* The event does not fit the 512 bytes of a BPF stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct exec);
} scratch SEC(".maps");

/*
 * The arguments lie one behind the other in the new program's memory, each with its NUL.  The empty
 * asm keeps the compiler from testing a copy of `bytes` other than the one that is passed, which
 * the verifier would then see as unbounded (clang 14).
 */
static __always_inline __u64 copy_args(struct exec *e, struct task_struct *task)
{
	__u64 start = BPF_CORE_READ(task, mm, arg_start);
	__u64 bytes = BPF_CORE_READ(task, mm, arg_end) - start;

	e->args_bytes = bytes;
	asm volatile("" : "+r"(bytes));
	if (bytes > sizeof(e->args))
		bytes = sizeof(e->args);
	if (bpf_probe_read_user(e->args, bytes, (const void *)start))
		return 0;
	return bytes;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	__u32 zero = 0;
	struct exec *e;
	__u64 held;

	if (!peat_wanted())
		return 0;
	e = bpf_map_lookup_elem(&scratch, &zero);
	if (!e)
		return 0;
	e->pid = task->tgid;
	e->ppid = task->real_parent->tgid;
	e->uid = bpf_get_current_uid_gid();
	bpf_probe_read_kernel_str(e->filename, sizeof(e->filename), bprm->filename);
	held = copy_args(e, task);
	e->args_held = held;
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, e,
			      __builtin_offsetof(struct exec, args) + held);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
