// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_select: events over a peat channel whose programs test and count them. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "load.bpf.h"
#include "event.bpf.h"

__noinline int bench_emit_event(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 number = bench_number++;
	struct bench_event *event = peat_reserve(ctx, struct bench_event);

	if (!event)
		return 0;
	bench_fill_event(event, number);
	return peat_submit(ctx, event);
}

BENCH_PROGRAM(bench_events, bench_emit_event)

/* The same test as an expression, in the program. */
__noinline int bench_emit_discard(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 number = bench_number++;
	struct bench_event *event = peat_reserve(ctx, struct bench_event);

	if (!event)
		return 0;
	bench_fill_event(event, number);
	if (event->delay > 5000)
		return peat_submit(ctx, event);
	return peat_discard(ctx, event);
}

BENCH_PROGRAM(bench_discard, bench_emit_discard)
