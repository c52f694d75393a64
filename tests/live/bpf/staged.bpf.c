// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * staged: correct and wrong uses of a channel.  The programs are run by BPF_PROG_TEST_RUN, which
 * passes their arguments; only `numbered` is attached.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "staged.bpf.h"
#include "take.bpf.h"
#include "copied.bpf.h"

SEC("raw_tp/sys_enter")
int copied(struct bpf_raw_tracepoint_args *ctx)
{
	return copied_emit(ctx, STAGED_MAX);
}

/* ---- numbered events ------------------------------------------------------------------------- */

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;

struct staged_counts counts[STAGED_CPUS];

/* Numbers are incremented atomically: programs on one CPU may interrupt each other. */
static __always_inline int emit_numbered(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 cpu = bpf_get_smp_processor_id();
	struct numbered *e;

	barrier_var(cpu);
	if (cpu >= STAGED_CPUS)
		return 2;
	e = peat_reserve(ctx, struct numbered);
	if (!e) {
		__sync_fetch_and_add(&counts[cpu].refused, 1);
		return 1;
	}
	e->number = TAKE(counts[cpu].submitted);
	e->check = ~e->number;
	e->cpu = cpu;
	e->slot = (peat_head_of(e)->delta_ns - 1) % PEAT_SLOTS;
	return peat_submit(ctx, e);
}

SEC("raw_tp/sys_enter")
int numbered(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	return emit_numbered(ctx);
}

SEC("raw_tp/sys_enter")
int number_one(struct bpf_raw_tracepoint_args *ctx)
{
	return emit_numbered(ctx);
}

/* ---- too big --------------------------------------------------------------------------------- */

/* Reserves sizeof(struct numbered), submits the size given. */
SEC("raw_tp/sys_enter")
int trimmed(struct bpf_raw_tracepoint_args *ctx)
{
	struct numbered *e = peat_reserve(ctx, struct numbered);

	if (!e)
		return 1;
	__builtin_memset(e, 0x5a, sizeof(*e));
	return peat_submit_bytes(ctx, e, ctx->args[0]);
}

/* Reserves more than the type has, and submits the type. */
SEC("raw_tp/sys_enter")
int shortened(struct bpf_raw_tracepoint_args *ctx)
{
	struct numbered *e = peat_reserve_bytes(ctx, struct numbered, 200);

	if (!e)
		return 1;
	e->number = ctx->args[0];
	e->check = ~e->number;
	return peat_submit(ctx, e);
}

/* peat_channel__bind() would refuse this size if the type's note had it. */
SEC("raw_tp/sys_enter")
int oversized(struct bpf_raw_tracepoint_args *ctx)
{
	void *e = peat_reserve_(ctx, STAGED_MAX + 1,
				peat_type_base + bpf_core_type_id_local(struct sized), 0);

	if (!e)
		return 1;
	peat_submit_(ctx, e, STAGED_MAX + 1, 0);
	return 0;
}

/* ---- released twice, or never ---------------------------------------------------------------- */

SEC("raw_tp/sys_enter")
int misused(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 how = ctx->args[0];
	struct numbered *e = peat_reserve(ctx, struct numbered);

	if (!e)
		return 1;
	e->number = ctx->args[1];
	e->check = ~e->number;
	e->cpu = e->slot = 0;
	if (how == SUBMIT_AFTER_DISCARD || how == DISCARD_TWICE || how == JUST_DISCARD)
		peat_discard(ctx, e);
	else
		peat_submit(ctx, e);
	if (how == SUBMIT_TWICE || how == SUBMIT_AFTER_DISCARD)
		return peat_submit(ctx, e);
	if (how == SUBMIT_BYTES_TWICE)
		return peat_submit_bytes(ctx, e, 8);
	return how == JUST_DISCARD ? 0 : peat_discard(ctx, e);
}

SEC("raw_tp/sys_enter")
int leaky(struct bpf_raw_tracepoint_args *ctx)
{
	struct numbered *e = peat_reserve(ctx, struct numbered);

	return !e;
}

/* Returns at three places; at the last with an event. */
SEC("raw_tp/sys_enter")
int guarded(struct bpf_raw_tracepoint_args *ctx)
{
	PEAT_EVENT(ctx, struct numbered, e);

	if (!e)
		return 1;
	e->number = ctx->args[1];
	if (ctx->args[0] == 0)
		return 2;
	e->check = ~e->number;
	if (ctx->args[0] == 1)
		return 3;
	e->cpu = e->slot = 0;
	return peat_send(e);
}
