// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* sched: time that runnable tasks waited for a CPU. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct sched {
	peat_duration_t delay PEAT_DOC("from runnable to running");
	__u32 previous PEAT_DOC("process that ran on the CPU before");
	char previous_comm[16];
} PEAT_DOC("how long tasks waited for a CPU") PEAT_SUBJECT(tasks)
	PEAT_LIKE("runqlat, runqslower, perf sched timehist");

PEAT_OPTION(peat_duration_t, min, 1000000, "only delays of at least this");

/*
 * Time since which a thread has been waiting.  Not task storage: up to Linux 6.3 it allocates on
 * demand, which can wake kswapd and must not happen under the runqueue lock held here.  This map is
 * preallocated.  LRU, because a thread that is woken while it runs, and then exits, leaves its
 * entry in the map.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, __u64);
} sched_waiting SEC(".maps");

static __always_inline void start_waiting(__u32 tid)
{
	__u64 now = bpf_ktime_get_ns();

	if (tid)
		bpf_map_update_elem(&sched_waiting, &tid, &now, 0);
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
	start_waiting(PEAT_READ(task, pid));
	return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *task)
{
	start_waiting(PEAT_READ(task, pid));
	return 0;
}

static __always_inline __u64 end_waiting(__u32 tid)
{
	__u64 *since = bpf_map_lookup_elem(&sched_waiting, &tid);
	__u64 delay;

	if (!since)
		return 0;
	delay = bpf_ktime_get_ns() - *since;
	bpf_map_delete_elem(&sched_waiting, &tid);
	return delay;
}

/* Linux before 5.14 has the task's state in another member. */
struct task_struct___before_5_14 {
	long state;
} __attribute__((preserve_access_index));

static __always_inline bool is_runnable(struct task_struct *task)
{
	struct task_struct___before_5_14 *old = (void *)task;

	return bpf_core_field_exists(task->__state) ? !PEAT_READ(task, __state)
						    : !PEAT_READ(old, state);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct sched *e;
	__u64 delay;

	if (preempt || is_runnable(prev))
		start_waiting(PEAT_READ(prev, pid));
	delay = end_waiting(PEAT_READ(next, pid));
	if (!delay || delay < min)
		return 0;
	e = peat_reserve_for(ctx, struct sched, next);
	if (!e)
		return 0;
	e->delay = delay;
	e->previous = PEAT_READ(prev, tgid);
	bpf_probe_read_kernel(e->previous_comm, sizeof(e->previous_comm), prev->comm);
	return peat_submit(ctx, e);
}
