// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench_tracepoint: the events of bench_select on the tracepoint that bpftrace uses; none if
 * bench_setup.bytes is 0.  For tests/bench/peers/kernel_counts.c.
 */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "bench.bpf.h"

const volatile struct bench_setup bench_setup SEC(".rodata.bench") = {};
volatile struct bench_control bench_control SEC(".data.bench") = {};

#include "event.bpf.h"

/* The context of a system call's tracepoint. */
struct bench_call {
	__u64 common;
	long number;
	unsigned long args[6];
};

static __noinline int bench_emit_event(struct bench_call *ctx)
{
	__u64 number = bench_number++;
	struct bench_event *event;

	if (!bench_setup.bytes)
		return 0;
	event = peat_reserve(ctx, struct bench_event);
	if (!event)
		return 0;
	bench_fill_event(event, number);
	return peat_submit(ctx, event);
}

SEC("tp/raw_syscalls/sys_enter")
int bench_events(struct bench_call *ctx)
{
	__u32 count = bench_control.per_call;

	if (ctx->number != bench_setup.syscall ||
	    bpf_get_current_pid_tgid() >> 32 != bench_setup.pid)
		return 0;
	for (__u32 i = 0; i < BENCH_PER_CALL_MAX && i < count; i++)
		bench_emit_event(ctx);
	return 0;
}
