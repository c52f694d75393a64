// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * skipped: programs that cause themselves, so that the kernel skips their second run: each call of
 * one system call sends a signal to its task, and that runs the program again.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#define SIGURG 23 /* ignored by default */

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} raw SEC(".maps");

struct skipped {
	__u32 nested;
};

__u32 only_pid, call_number, is_sending;

/* The main thread: a reader has others, which call the kernel while that one sends. */
static __always_inline bool is_mine(void)
{
	return (__u32)bpf_get_current_pid_tgid() == only_pid;
}

static __always_inline void send(void)
{
	is_sending = 1;
	bpf_send_signal(SIGURG);
	is_sending = 0;
}

/* For both sys_enter and signal_generate; the latter only while it sends. */
SEC("raw_tp") int twice(struct bpf_raw_tracepoint_args *ctx)
{
	struct skipped *e;

	if (!is_mine() || (!is_sending && ctx->args[1] != call_number))
		return 0;
	e = peat_reserve(ctx, struct skipped);
	if (!e)
		return 0;
	e->nested = is_sending;
	peat_submit(ctx, e);
	if (!is_sending)
		send();
	return 0;
}

/* The same without a channel. */
SEC("raw_tp") int twice_raw(struct bpf_raw_tracepoint_args *ctx)
{
	struct skipped e = { .nested = is_sending };

	if (!is_mine() || (!is_sending && ctx->args[1] != call_number))
		return 0;
	bpf_perf_event_output(ctx, &raw, BPF_F_CURRENT_CPU, &e, sizeof(e));
	if (!is_sending)
		send();
	return 0;
}
