// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * functions/plan.bpf.c: programs for any function and any tracepoint, which emit the events that a
 * plan describes (functions/plan.h).  The loader adds the types of the events to the BTF of this
 * object.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "functions/calls.bpf.h"
#include "functions/emit.bpf.h"

/* The stack pointer at a return, less that at the call: 8 on x86-64, 0 on arm64 and s390x. */
const volatile __u64 peat_plan_return_sp = 0;

/*
 * Returns of kprobe_multi on arm64 have no registers but the result (Linux 6.12 to 7.2): there,
 * calls are found by the function.  A task's last call of it returns first.
 */
const volatile __u32 peat_plan_keys_by_function = 0;

/* Whether a plan reads the address that a function returns to, and in which memory it is. */
const volatile __u32 peat_plan_wants_caller = 0, peat_plan_is_of_user = 0;

/* ---- functions ------------------------------------------------------------------------------- */

/* Further arguments are on the stack. */
static __always_inline void arguments_of(struct pt_regs *ctx, __u64 *values)
{
	values[PLAN_ARG0] = PT_REGS_PARM1(ctx);
	values[PLAN_ARG1] = PT_REGS_PARM2(ctx);
	values[PLAN_ARG2] = PT_REGS_PARM3(ctx);
	values[PLAN_ARG3] = PT_REGS_PARM4(ctx);
	values[PLAN_ARG4] = PT_REGS_PARM5(ctx);
#if defined(__TARGET_ARCH_x86)
	values[PLAN_ARG5] = ctx->r9;
#elif defined(__TARGET_ARCH_arm64)
	values[PLAN_ARG5] = ((const struct user_pt_regs *)ctx)->regs[5];
	values[PLAN_ARG6] = ((const struct user_pt_regs *)ctx)->regs[6];
	values[PLAN_ARG7] = ((const struct user_pt_regs *)ctx)->regs[7];
#endif
}

/* The address that the function returns to, at its call.  0: it cannot be read. */
static __always_inline __u64 caller_of(struct pt_regs *ctx)
{
	__u64 caller = 0;

	if (!peat_plan_wants_caller)
		return 0;
#if defined(__TARGET_ARCH_x86)
	if (plan_read_bytes(&caller, sizeof(caller), PT_REGS_SP(ctx), peat_plan_is_of_user))
		return 0;
#elif defined(__TARGET_ARCH_arm64)
	caller = ((const struct user_pt_regs *)ctx)->regs[30];
#elif defined(__TARGET_ARCH_s390)
	caller = ((const user_pt_regs *)ctx)->gprs[14];
#endif
	return caller;
}

static __always_inline int call(struct pt_regs *ctx, __u32 index)
{
	const struct function_plan *plan = plan_at(index);
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, PEAT_CTX_REGISTERS, &values) : 0;
	if (!event)
		return peat_plan_result;
	arguments_of(ctx, values);
	values[PLAN_SP] = PT_REGS_SP(ctx);
	values[PLAN_IP] = PT_REGS_IP(ctx);
	values[PLAN_CALLER] = caller_of(ctx);
	emit(ctx, event, values, plan, PEAT_CTX_REGISTERS);
	return peat_plan_result;
}

/* How a return finds its call. */
static __always_inline __u64 key_of(struct pt_regs *ctx, __u64 sp)
{
	return peat_plan_keys_by_function ? bpf_get_func_ip(ctx) : sp;
}

/* A call, without a return. */
SEC("uprobe")
int peat_on_call(struct pt_regs *ctx)
{
	return peat_plan_has_begun ? call(ctx, index_of(ctx, PT_REGS_IP(ctx))) : peat_plan_result;
}

/* A call whose return emits the event. */
SEC("uprobe")
int peat_on_enter(struct pt_regs *ctx)
{
	struct call now = {};

	if (!peat_plan_has_begun || !peat_accepts_current())
		return peat_plan_result;
	now.plan = index_of(ctx, PT_REGS_IP(ctx));
	now.sp = PT_REGS_SP(ctx);
	now.key = key_of(ctx, now.sp);
	now.caller = caller_of(ctx);
	arguments_of(ctx, now.arguments);
	now.time_ns = bpf_ktime_get_ns();
	if (!calls_keep(&now))
		COUNT(calls_full, 1);
	return peat_plan_result;
}

static __always_inline void emit_return(struct pt_regs *ctx, const struct call *call)
{
	const struct function_plan *plan = plan_at(call->plan);
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, PEAT_CTX_REGISTERS, &values) : 0;
	if (!event)
		return;
#pragma clang loop unroll(full)
	for (int i = 0; i < CALLS_ARGUMENTS; i++)
		values[PLAN_ARG0 + i] = call->arguments[i];
	values[PLAN_RESULT] = PT_REGS_RC(ctx);
	values[PLAN_LATENCY] = bpf_ktime_get_ns() - call->time_ns;
	values[PLAN_SP] = call->sp;
	values[PLAN_CALLER] = call->caller;
	emit(ctx, event, values, plan, PEAT_CTX_REGISTERS);
}

/* Filters are tested at the call: the return of one that they refused is no missing call. */
SEC("uretprobe")
int peat_on_return(struct pt_regs *ctx)
{
	const struct call *call;
	bool in_hash;
	__u64 key;

	if (!peat_plan_has_begun || !peat_accepts_current())
		return peat_plan_result;
	key = key_of(ctx, PT_REGS_SP(ctx) - peat_plan_return_sp);
	call = calls_find(key, &in_hash);
	if (!call) {
		COUNT(no_call, 1);
		return peat_plan_result;
	}
	emit_return(ctx, call);
	if (in_hash)
		calls_forget(key);
	return peat_plan_result;
}

/* ---- tracepoints ----------------------------------------------------------------------------- */

/* 1: with 0 the event would be hidden from all other users of the tracepoint. */
SEC("tp")
int peat_on_tracepoint(void *ctx)
{
	const struct function_plan *plan = peat_plan_has_begun ? plan_at(index_of(ctx, 0)) : 0;
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, PEAT_CTX_OTHER, &values) : 0;
	if (!event)
		return 1;
	values[PLAN_CTX] = (__u64)ctx;
	emit(ctx, event, values, plan, PEAT_CTX_OTHER);
	return 1;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
