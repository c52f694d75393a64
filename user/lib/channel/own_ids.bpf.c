// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * channel/own_ids.bpf.c: keeps the ids that tasks have in their own pid namespaces.  They stay
 * after a task has ended: its events are read later.
 */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "channel/pid_numbers.bpf.h"
#include "sys/own_ids.h"

#define TASKS 65536 /* more tasks remove those that were not used for longest */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___peat {
	int pid;
	struct task_struct___peat *group_leader;
	struct pid___peat *thread_pid;
};

#pragma clang attribute pop

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TASKS);
	__type(key, __u32); /* thread id in the initial pid namespace */
	__type(value, struct own_ids);
} peat_own_ids SEC(".maps");

static __always_inline __u32 own_number(const struct task_struct___peat *task)
{
	const struct pid___peat *pid = BPF_CORE_READ(task, thread_pid);
	struct upid___peat number = {};

	pid_numbers__read(pid, BPF_CORE_READ(pid, level), &number);
	return number.nr;
}

static __always_inline void note(const struct task_struct___peat *task)
{
	const struct own_ids ids = { own_number(BPF_CORE_READ(task, group_leader)),
				     own_number(task) };
	__u32 tid = BPF_CORE_READ(task, pid);

	bpf_map_update_elem(&peat_own_ids, &tid, &ids, BPF_ANY);
}

/* Runs before the child does. */
SEC("raw_tp")
int peat_note_fork(struct bpf_raw_tracepoint_args *ctx)
{
	note((void *)ctx->args[1]);
	return 0;
}

/* Runs for each task that exists: struct bpf_iter__task { meta, task }. */
SEC("iter/task")
int peat_note_task(__u64 *ctx)
{
	if (ctx[1])
		note((void *)ctx[1]);
	return 0;
}

char peat_license[] SEC("license") = "Dual BSD/GPL";
