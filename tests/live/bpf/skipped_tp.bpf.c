// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * skipped_tp: the kernel skips programs of tp and kprobes while any of these runs on the CPU: the
 * second program, which the first one causes, never emits.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#define SIGURG 23 /* ignored by default */

struct skipped_tp {
	__u32 of_signal;
};

const volatile __u32 only_pid = 0;

static __always_inline bool is_mine(void)
{
	return bpf_get_current_pid_tgid() >> 32 == only_pid;
}

static __always_inline void emit(void *ctx, __u32 of_signal)
{
	struct skipped_tp *e = peat_reserve(ctx, struct skipped_tp);

	if (!e)
		return;
	e->of_signal = of_signal;
	peat_submit(ctx, e);
}

SEC("tp/task/task_rename") int of_name(void *ctx)
{
	if (!is_mine())
		return 0;
	emit(ctx, 0);
	bpf_send_signal(SIGURG);
	return 0;
}

struct signal_generate {
	__u64 common;
	__s32 sig;
};

SEC("tp/signal/signal_generate") int of_signal(struct signal_generate *ctx)
{
	if (is_mine() && ctx->sig == SIGURG)
		emit(ctx, 1);
	return 0;
}
