/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions/emit.bpf.h: finds the plan of a function, and emits the event that it describes. */
#ifndef PEAT_FUNCTIONS_EMIT_BPF_H
#define PEAT_FUNCTIONS_EMIT_BPF_H

#include <peat/peat.bpf.h>

#include "functions/follow.bpf.h"
#include "functions/plan.h"

/* How a program finds its plan. */
const volatile __u32 peat_plan_by = PLAN_BY_COOKIE;
const volatile __u32 peat_plan_index = 0; /* PLAN_BY_INDEX */

/* Links of uprobe_multi want 0, other attachments leave the event to others with 1. */
const volatile __u32 peat_plan_result = 0;

/*
 * Set once all is attached.  Attaching calls functions itself: the first link would see the calls
 * that attaching the second makes.
 */
volatile __u32 peat_plan_has_begun = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, __u32);
	__type(value, struct function_plan);
} peat_plans SEC(".maps");

/* Plans by the address of the function, for kernels without cookies (before Linux 5.15). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} peat_plans_by_ip SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct plan_counts);
} peat_plan_counts SEC(".maps");

static __always_inline struct plan_counts *counts_of_cpu(void)
{
	__u32 first = 0;

	return bpf_map_lookup_elem(&peat_plan_counts, &first);
}

#define COUNT(member, number)                                                                      \
	do {                                                                                       \
		struct plan_counts *counts_ = counts_of_cpu();                                     \
		if (counts_)                                                                       \
			counts_->member += (number);                                               \
	} while (0)

/* ---- plans ----------------------------------------------------------------------------------- */

static __always_inline __u32 index_by_ip(__u64 ip)
{
	__u32 *index = bpf_map_lookup_elem(&peat_plans_by_ip, &ip);

	return index ? *index : 0;
}

static __always_inline __u32 index_of(void *ctx, __u64 ip)
{
	if (peat_plan_by == PLAN_BY_COOKIE)
		return bpf_get_attach_cookie(ctx);
	return peat_plan_by == PLAN_BY_IP ? index_by_ip(ip) : peat_plan_index;
}

static __always_inline const struct function_plan *plan_at(__u32 index)
{
	const struct function_plan *plan = bpf_map_lookup_elem(&peat_plans, &index);

	return plan && plan->type ? plan : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static __always_inline void *reserve(void *ctx, const struct function_plan *plan, __u64 ctx_kind,
				     __u64 **values)
{
	void *event = peat_reserve_(ctx, PLAN_ROOM + peat_stacks_room_of(ctx_kind),
				    peat_type_base + plan->type, 0);

	if (event)
		*values = event + PLAN_VALUES_AT;
	return event;
}

/* The stacks are the last member of the struct. */
static __always_inline void submit(void *ctx, void *event, const struct function_plan *plan,
				   __u64 ctx_kind)
{
	__u64 stacks = plan->bytes - sizeof(struct peat_stacks);

	barrier_var(stacks);
	stacks &= PLAN_BYTES - 8;
	*(struct peat_stacks *)(event + stacks) = (struct peat_stacks){};
	peat_submit_stacks_(ctx, event, stacks, stacks, 0, ctx_kind);
}

static __always_inline void emit(void *ctx, void *event, __u64 *values,
				 const struct function_plan *plan, __u64 ctx_kind)
{
	__u32 failed = plan_follow(event, values, plan);

	if (failed)
		COUNT(failed_reads, failed);
	submit(ctx, event, plan, ctx_kind);
}

#endif /* PEAT_FUNCTIONS_EMIT_BPF_H */
