// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * offcpu: how long threads were off the CPU, in which stack, and who woke them.
 *
 * A thread leaves at sched_switch, where it is the running task: its user stack can be walked, and
 * is kept in a map, since no program can walk the user stack of another task.  Its kernel stack
 * does not change while it is off the CPU: it is walked when the thread runs again, and only if it
 * was away for long enough.
 */
#define PEAT_DEFAULT_STACKS (PEAT_STACK_KERNEL | PEAT_STACK_USER)
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "interrupts.h"

enum offcpu_state {
	preempted,
	sleeping,
	blocked, /* not even signals wake it */
	stopped,
	traced,
	idle_worker,
	other_state,
};

struct offcpu {
	peat_duration_t duration PEAT_DOC("from leaving the CPU to running again");
	peat_duration_t delay PEAT_DOC("the part of it after the wakeup, waiting for a CPU");
	enum offcpu_state state PEAT_DOC("in which it left the CPU");
	__u32 waker PEAT_DOC("process that woke it; 0: a timer or another interrupt, or none");
	char waker_comm[16] PEAT_DOC("name of the waker, [timer], or [interrupt]");
	PEAT_STACKS;
} PEAT_DOC("how long threads were off the CPU, with stacks") PEAT_SUBJECT(tasks)
	PEAT_LIKE("offcputime, offwaketime, wakeuptime");

PEAT_OPTION(peat_duration_t, min, 1000000, "only threads that were away for at least this");
PEAT_OPTION(bool, idle, false, "also threads of the kernel that wait for work");

#define DEPTH 127

/* A thread that was seen: off the CPU since left_ns, or running since ran_ns. */
struct thread {
	__u32 tid; /* the map may have given this memory to another thread */
	enum offcpu_state state;
	__u64 left_ns; /* 0: it runs */
	__u64 ran_ns;
	__u64 woken_ns;
	__u32 waker;
	__u32 user_bytes;
	char waker_comm[16];
	__u64 user[DEPTH];
};

/* Preallocated, since memory must not be allocated under the runqueue lock held here. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct thread);
} offcpu_threads SEC(".maps");

static __always_inline struct thread *find_thread(__u32 tid)
{
	struct thread *thread = bpf_map_lookup_elem(&offcpu_threads, &tid);

	return thread && thread->tid == tid ? thread : 0;
}

static __always_inline struct thread *add_thread(__u32 tid)
{
	static const struct thread unseen; /* too large for the stack */
	struct thread *thread;

	bpf_map_update_elem(&offcpu_threads, &tid, &unseen, BPF_ANY);
	thread = bpf_map_lookup_elem(&offcpu_threads, &tid);
	if (thread)
		thread->tid = tid;
	return thread;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* The kernel's, Linux 5.10 to 7.2. */
#define TASK_INTERRUPTIBLE   0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED_BIT     0x4
#define TASK_TRACED_BIT	     0x8
#define TASK_DEAD	     0x80
#define TASK_NOLOAD	     0x400

/* Linux before 5.14 has the task's state in another member. */
struct task_struct___before_5_14 {
	long state;
} __attribute__((preserve_access_index));

static __always_inline __u32 kernel_state(struct task_struct *task)
{
	struct task_struct___before_5_14 *old = (void *)task;

	return bpf_core_field_exists(task->__state) ? PEAT_READ(task, __state)
						    : PEAT_READ(old, state);
}

static __always_inline enum offcpu_state state_of(bool preempt, __u32 state)
{
	if (preempt || !state)
		return preempted;
	if (state & TASK_STOPPED_BIT)
		return stopped;
	if (state & TASK_TRACED_BIT)
		return traced;
	if (state & TASK_INTERRUPTIBLE)
		return sleeping;
	if (state & TASK_UNINTERRUPTIBLE)
		return state & TASK_NOLOAD ? idle_worker : blocked;
	return other_state;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/*
 * Bytes of user stacks, a constant.  Registers and memory of the user stack, to be unwound, would
 * be too much for a map: frame pointers find as many callers as fit into their room.
 */
static __always_inline __u64 user_room(void)
{
	__u64 room = peat_stacks_room() - peat_kernel_stack_bytes();

	return room < DEPTH * 8 ? room : DEPTH * 8;
}

static __always_inline void leave(void *ctx, bool preempt, struct task_struct *task)
{
	__u32 tid = PEAT_READ(task, pid), state = kernel_state(task);
	struct thread *thread;
	long bytes = 0;

	if (!tid || state & TASK_DEAD)
		return;
	/* A thread may return on another CPU than the one that it leaves. */
	if (peat_filters && !peat_filters_by(PEAT_FILTER_CPU) && peat_current_is_out())
		return;
	if (!idle && state_of(preempt, state) == idle_worker)
		return;
	thread = find_thread(tid) ?: add_thread(tid);
	if (!thread)
		return;
	if (user_room())
		bytes = bpf_get_stack(ctx, thread->user, user_room(), BPF_F_USER_STACK);
	thread->user_bytes = bytes > 0 ? bytes : 0;
	thread->state = state_of(preempt, state);
	thread->left_ns = bpf_ktime_get_ns();
}

/* ---- wakeups --------------------------------------------------------------------------------- */

/* Names what woke a thread instead of a process. */
static __always_inline void name_interrupt(struct thread *thread, enum interrupt by)
{
	thread->waker = 0;
	if (by == by_timer)
		__builtin_memcpy(thread->waker_comm, "[timer]", sizeof("[timer]"));
	else
		__builtin_memcpy(thread->waker_comm, "[interrupt]", sizeof("[interrupt]"));
}

/* Runs in the task that wakes it, also on another CPU, or in an interrupt. */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct thread *thread = find_thread(PEAT_READ(task, pid));
	enum interrupt by;

	if (!thread)
		return 0;
	thread->woken_ns = bpf_ktime_get_ns();
	by = find_interrupt();
	/* The idle tasks, with the id 0, wake nobody themselves. */
	if (!by && !(__u32)bpf_get_current_pid_tgid())
		by = by_interrupt;
	if (by) {
		name_interrupt(thread, by);
		return 0;
	}
	thread->waker = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(thread->waker_comm, sizeof(thread->waker_comm));
	return 0;
}

/* ---- returning ------------------------------------------------------------------------------- */

/*
 * A thread is woken after it began to run last: it may be woken just before it leaves, when it has
 * said that it will sleep.
 */
static __always_inline void copy_waker(struct offcpu *e, const struct thread *thread, __u64 now)
{
	__u64 runnable_ns = thread->left_ns;

	e->waker = 0;
	__builtin_memset(e->waker_comm, 0, sizeof(e->waker_comm));
	if (thread->state != preempted && thread->woken_ns > thread->ran_ns) {
		e->waker = thread->waker;
		__builtin_memcpy(e->waker_comm, thread->waker_comm, sizeof(e->waker_comm));
		if (thread->woken_ns > runnable_ns)
			runnable_ns = thread->woken_ns;
	}
	e->delay = now - runnable_ns;
}

static __always_inline __u64 copy_stacks(struct peat_stacks *stacks, struct task_struct *task,
					 const struct thread *thread)
{
	__u64 kernel = 0, user = thread->user_bytes;
	void *to = stacks->words;

	if (peat_stack_kinds & PEAT_STACK_KERNEL && !peat_no_btf)
		kernel = peat_bounded(bpf_get_task_stack(task, to, peat_kernel_stack_bytes(), 0),
				      peat_kernel_stack_bytes());
	barrier_var(user);
	if (user > user_room() || bpf_probe_read_kernel(to + kernel, user, thread->user))
		user = 0;
	stacks->kernel_bytes = kernel | PEAT_STACKS_INTERRUPTED;
	stacks->user_bytes = user;
	return sizeof(*stacks) + kernel + user;
}

static __always_inline int emit(void *ctx, struct task_struct *task, const struct thread *thread,
				__u64 now)
{
	struct offcpu *e = peat_reserve_stacks_for(ctx, struct offcpu, task);
	__u64 bytes = __builtin_offsetof(struct offcpu, stack);

	if (!e)
		return 0;
	e->duration = now - thread->left_ns;
	e->state = thread->state;
	copy_waker(e, thread, now);
	if (peat_stack_kinds)
		bytes += copy_stacks(&e->stack, task, thread);
	return peat_submit_bytes(ctx, e, bytes);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct thread *thread;
	__u64 now;

	leave(ctx, preempt, prev);
	thread = find_thread(PEAT_READ(next, pid));
	if (!thread || !thread->left_ns)
		return 0;
	now = bpf_ktime_get_ns();
	if (now - thread->left_ns >= min)
		emit(ctx, next, thread, now);
	thread->left_ns = 0;
	thread->ran_ns = now;
	return 0;
}
