// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* select.bpf.c: emits events whose bytes the test has written, for expressions and tables. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "select.bpf.h"

/* Written by the test before each call. */
volatile struct selected select_next;
volatile struct keyed keyed_next;

/* args[0]: the bytes that are submitted. */
SEC("raw_tp/sys_enter")
int select_one(struct bpf_raw_tracepoint_args *ctx)
{
	struct selected *e = peat_reserve(ctx, struct selected);

	if (!e)
		return 1;
	__builtin_memcpy(e, (const void *)&select_next, sizeof(*e));
	return peat_submit_bytes(ctx, e, ctx->args[0]);
}

SEC("raw_tp/sys_enter")
int key_one(struct bpf_raw_tracepoint_args *ctx)
{
	struct keyed *e = peat_reserve(ctx, struct keyed);

	if (!e)
		return 1;
	__builtin_memcpy(e, (const void *)&keyed_next, sizeof(*e));
	return peat_submit(ctx, e);
}

/* args[0], args[1]: key and number. */
SEC("raw_tp/sys_enter")
int key_and_number(struct bpf_raw_tracepoint_args *ctx)
{
	struct keyed *e = peat_reserve(ctx, struct keyed);

	if (!e)
		return 1;
	__builtin_memset(e, 0, sizeof(*e));
	e->key = ctx->args[0];
	e->number = ctx->args[1];
	e->signed_number = ctx->args[1];
	return peat_submit(ctx, e);
}

/* For the task whose ids are given. */
SEC("raw_tp/sys_enter")
int key_of_task(struct bpf_raw_tracepoint_args *ctx)
{
	struct keyed *e = peat_reserve(ctx, struct keyed);

	if (!e)
		return 1;
	__builtin_memset(e, 0, sizeof(*e));
	peat_set_task(e, ctx->args[0], ctx->args[1]);
	return peat_submit(ctx, e);
}

SEC("raw_tp/sys_enter")
int other_one(struct bpf_raw_tracepoint_args *ctx)
{
	struct other *e = peat_reserve(ctx, struct other);

	if (!e)
		return 1;
	e->unrelated = ctx->args[0];
	return peat_submit(ctx, e);
}

/* A slot is in use when the next event of this CPU is emitted: it goes to the second one. */
SEC("raw_tp/sys_enter")
int key_nested(struct bpf_raw_tracepoint_args *ctx)
{
	struct other *outer = peat_reserve(ctx, struct other);
	struct keyed *e;

	if (!outer)
		return 1;
	e = peat_reserve(ctx, struct keyed);
	if (e) {
		__builtin_memset(e, 0, sizeof(*e));
		e->key = ctx->args[0];
		peat_submit(ctx, e);
	}
	return peat_discard(ctx, outer);
}
