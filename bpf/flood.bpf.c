// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * flood: a load of events from task, softirq, hardirq and timer context at the same time.  Not a
 * probe, but a test of the channel.
 *
 * Each getpgid(2) of the process flood_pid emits flood_per_call events (at most 100) of flood_bytes
 * bytes.  The other programs emit one or more events per run.  Load only the programs needed.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "flood.h"

const volatile __u32 flood_pid = 0;
const volatile __u32 flood_syscall = 0; /* the number of getpgid(2) */

/* Changed while the programs run. */
volatile __u32 flood_per_call = 1;
volatile __u32 flood_bytes = sizeof(struct flood);

struct flood_count flood_counts[FLOOD_CPUS];

#ifdef FLOOD_PLAIN

/*
 * Before Linux 5.12 no atomic operation returns a value.  There the programs of a CPU only nest, so
 * the depth and a counter per depth make a number.
 */
#define FLOOD_DEPTHS 8

struct {
	volatile __u64 depth, taken[FLOOD_DEPTHS];
} flood_depths[FLOOD_CPUS];

static __always_inline __u64 take_number(void)
{
	__u64 cpu = bpf_get_smp_processor_id(), depth, number;

	barrier_var(cpu);
	cpu &= FLOOD_CPUS - 1;
	__sync_fetch_and_add(&flood_counts[cpu].tries, 1);
	__sync_fetch_and_add(&flood_depths[cpu].depth, 1);
	depth = flood_depths[cpu].depth - 1;
	barrier_var(depth);
	depth &= FLOOD_DEPTHS - 1;
	number = flood_depths[cpu].taken[depth];
	flood_depths[cpu].taken[depth] = number + 1;
	__sync_fetch_and_add(&flood_depths[cpu].depth, -1);
	return number * FLOOD_DEPTHS + depth;
}

#else

static __always_inline __u64 take_number(void)
{
	__u64 cpu = bpf_get_smp_processor_id();

	barrier_var(cpu);
	return __sync_fetch_and_add(&flood_counts[cpu & (FLOOD_CPUS - 1)].tries, 1);
}

#endif

static __always_inline void emit(void *ctx)
{
	__u64 number = take_number();
	struct flood *e = peat_reserve(ctx, struct flood);

	if (!e)
		return;
	e->number = number;
	e->check = ~number;
	peat_submit(ctx, e);
}

/* Writes only the first and the last byte of the fill, which is enough to check its position. */
static __always_inline void emit_long(void *ctx, __u64 bytes)
{
	__u64 number = take_number();
	struct flood_long *e = peat_reserve(ctx, struct flood_long);

	if (!e)
		return;
	e->number = number;
	e->check = ~number;
	bytes -= 16;
	barrier_var(bytes);
	if (bytes > 0 && bytes <= sizeof(e->fill)) {
		e->fill[0] = number;
		e->fill[bytes - 1] = number + bytes - 1;
	}
	peat_submit_bytes(ctx, e, 16 + bytes);
}

/*
 * The verifier checks a global function once.  Inlined, it would be checked in every iteration of
 * the loop: a hundred thousand instructions, which took most of the load time.  (bpf_loop() would
 * do as well, but needs a JIT.)
 */
__noinline int flood_emit(struct bpf_raw_tracepoint_args *ctx, __u64 bytes)
{
	if (bytes == sizeof(struct flood))
		emit(ctx);
	else
		emit_long(ctx, bytes);
	return 0;
}

SEC("raw_tp/sys_enter")
int flood_task(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 count = flood_per_call;
	__u64 bytes = flood_bytes;

	if (ctx->args[1] != flood_syscall || bpf_get_current_pid_tgid() >> 32 != flood_pid)
		return 0;
	for (__u32 i = 0; i < FLOOD_PER_CALL_MAX && i < count; i++)
		flood_emit(ctx, bytes);
	return 0;
}

SEC("raw_tp/softirq_entry")
int flood_softirq(struct bpf_raw_tracepoint_args *ctx)
{
	for (int i = 0; i < 5; i++)
		flood_emit(ctx, sizeof(struct flood));
	return 0;
}

SEC("raw_tp/hrtimer_expire_entry")
int flood_timer(struct bpf_raw_tracepoint_args *ctx)
{
	for (int i = 0; i < 3; i++)
		flood_emit(ctx, sizeof(struct flood));
	return 0;
}

SEC("raw_tp/sched_waking")
int flood_waking(struct bpf_raw_tracepoint_args *ctx)
{
	return flood_emit(ctx, sizeof(struct flood));
}

SEC("raw_tp/sched_switch")
int flood_switch(struct bpf_raw_tracepoint_args *ctx)
{
	return flood_emit(ctx, sizeof(struct flood));
}

/* Runs at a clock or hardware counter event, and so interrupts the other programs. */
SEC("perf_event")
int flood_clock(void *ctx)
{
	for (int i = 0; i < 10; i++)
		emit(ctx);
	return 0;
}
