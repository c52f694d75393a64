// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * signal: signals sent: sender (the event's task), target and result.  A timer or interrupt is no
 * task: its signals are events of their target, and not of the task that it interrupted.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "interrupts.h"

/* Codes that have the same meaning for all signals. */
enum signal_code {
	SI_USER = 0,
	SI_KERNEL = 0x80,
	SI_QUEUE = -1,
	SI_TIMER = -2,
	SI_MESGQ = -3,
	SI_ASYNCIO = -4,
	SI_SIGIO = -5,
	SI_TKILL = -6,
	SI_DETHREAD = -7,
	SI_ASYNCNL = -60,
};

/* The kernel's TRACE_SIGNAL_*. */
enum signal_result {
	delivered = 0,
	ignored = 1,
	already_pending = 2,
	overflow = 3,
	lost_info = 4,
};

enum signal_sender { process, timer, interrupt };

struct signal {
	peat_signal_t signal;
	__u32 target PEAT_DOC("process that it is sent to");
	char target_comm[16];
	enum signal_code code PEAT_MINOR PEAT_DOC("reason; values above 0 depend on the signal");
	enum signal_result result;
	enum signal_sender sender PEAT_DOC(
		"process: that of the event; otherwise none, and the event is the target's");
	PEAT_STACKS;
} PEAT_DOC("signals sent, with target and result") PEAT_SUBJECT(tasks)
	PEAT_LIKE("killsnoop, sigsnoop");

/* Instead of a pointer, 0 means a signal of the current task, and 1 one of the kernel. */
static __always_inline enum signal_code code_of(struct kernel_siginfo *info)
{
	if ((__u64)info == 0)
		return SI_USER;
	if ((__u64)info == 1)
		return SI_KERNEL;
	return BPF_CORE_READ(info, si_code);
}

#define SIGVTALRM 26
#define SIGPROF	  27

/*
 * Timers of CPU time send to the task whose time has passed, while it runs.  The code alone does
 * not prove a timer: rt_sigqueueinfo(2) sends SI_TIMER to any process.
 */
static __always_inline bool is_of_cpu_timer(int sig, enum signal_code code, __u32 target)
{
	if (target != bpf_get_current_pid_tgid() >> 32)
		return false;
	return code == SI_TIMER || (code == SI_KERNEL && (sig == SIGVTALRM || sig == SIGPROF));
}

static __always_inline enum signal_sender find_sender(int sig, enum signal_code code, __u32 target)
{
	switch (find_interrupt()) {
	case by_timer:
		return timer;
	case by_interrupt:
		return is_of_cpu_timer(sig, code, target) ? timer : interrupt;
	default:
		return is_of_cpu_timer(sig, code, target) ? timer : process;
	}
}

/* The stacks are those of the sender: no stacks if it is not a task. */
static __always_inline int submit(unsigned long long *ctx, struct signal *e)
{
	__u64 bytes = __builtin_offsetof(struct signal, stack);

	if (e->sender == process)
		return peat_submit_stacks(ctx, e);
	return peat_submit_bytes(ctx, e, peat_stack_kinds ? sizeof(*e) : bytes);
}

SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal, int sig, struct kernel_siginfo *info, struct task_struct *task, int group,
	     int result)
{
	__u32 target = PEAT_READ(task, tgid);
	enum signal_code code = code_of(info);
	enum signal_sender sender = find_sender(sig, code, target);
	struct signal *e = sender == process ? peat_reserve_stacks(ctx, struct signal)
					     : peat_reserve_stacks_for(ctx, struct signal, task);

	if (!e)
		return 0;
	e->signal = sig;
	e->target = target;
	bpf_probe_read_kernel(e->target_comm, sizeof(e->target_comm), task->comm);
	e->code = code;
	e->result = result;
	e->sender = sender;
	return submit(ctx, e);
}
