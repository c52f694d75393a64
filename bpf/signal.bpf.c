// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* signal: signals sent: sender (the event's task), target and result. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

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

struct signal {
	peat_signal_t signal;
	__u32 target PEAT_DOC("process that it is sent to");
	char target_comm[16];
	enum signal_code code PEAT_MINOR PEAT_DOC("reason; values above 0 depend on the signal");
	enum signal_result result;
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

SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal, int sig, struct kernel_siginfo *info, struct task_struct *task, int group,
	     int result)
{
	struct signal *e = peat_reserve_stacks(ctx, struct signal);

	if (!e)
		return 0;
	e->signal = sig;
	e->target = PEAT_READ(task, tgid);
	bpf_probe_read_kernel(e->target_comm, sizeof(e->target_comm), task->comm);
	e->code = code_of(info);
	e->result = result;
	return peat_submit_stacks(ctx, e);
}
