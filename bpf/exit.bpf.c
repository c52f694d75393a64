// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* exit: processes that end; one event per process, not per thread. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#define SIGNAL_GROUP_EXIT 0x4
#define EEXIST		  17

struct exit {
	__u32 code;
	peat_signal_t signal PEAT_DOC("that ended the process");
	bool core PEAT_MINOR PEAT_DOC("whether it dumped core");
	peat_duration_t duration PEAT_DOC("since it was forked");
	PEAT_STACKS;
} PEAT_DOC("processes that ended, with status and lifetime") PEAT_SUBJECT(tasks)
	PEAT_LIKE("exitsnoop");

struct process {
	__u64 start_ns;
	__u64 tgid;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct process);
	__type(value, __u32);
} exit_seen SEC(".maps");

/*
 * Threads decrement signal->live before they reach the tracepoint, so several threads that exit at
 * the same time can all read 0.  Only the first one emits an event.
 */
static __always_inline bool is_end_of_process(struct task_struct *task)
{
	struct process process = { PEAT_READ(task, group_leader, start_time),
				   PEAT_READ(task, tgid) };
	__u32 nothing = 0;
	int err;

	if (PEAT_READ(task, signal, live.counter))
		return false;
	/* Up to Linux 6.3 only the low 32 bits of the return value are valid. */
	err = bpf_map_update_elem(&exit_seen, &process, &nothing, BPF_NOEXIST);
	return err != -EEXIST;
}

/* The status in the format of wait(2). */
static __always_inline __u32 status_of(struct task_struct *task)
{
	if (PEAT_READ(task, signal, flags) & SIGNAL_GROUP_EXIT)
		return PEAT_READ(task, signal, group_exit_code);
	return PEAT_READ(task, group_leader, exit_code);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct exit *e;
	__u32 status;

	if (!is_end_of_process(task))
		return 0;
	e = peat_reserve_stacks(ctx, struct exit);
	if (!e)
		return 0;
	status = status_of(task);
	e->code = status >> 8 & 0xff;
	e->signal = status & 0x7f;
	e->core = status >> 7 & 1;
	e->duration = bpf_ktime_get_ns() - PEAT_READ(task, group_leader, start_time);
	return peat_submit_stacks(ctx, e);
}
