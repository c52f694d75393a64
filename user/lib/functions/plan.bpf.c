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
#include "functions/preload.bpf.h"

/* The stack pointer at a return, less that at the call: 8 on x86-64, 0 on arm64 and s390x. */
const volatile __u64 peat_plan_return_sp = 0;

/* Programs of sessions: the plan reads more of the call than its time. */
const volatile __u32 peat_plan_keeps_calls = 0;

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

/* A call, without a return. */
SEC("uprobe")
int peat_on_call(struct pt_regs *ctx)
{
	return peat_plan_has_begun ? call(ctx, index_of(ctx, PT_REGS_IP(ctx))) : peat_plan_result;
}

/* False: there is no place for the call. */
static __always_inline bool keep_counted(const struct call *now)
{
	if (!calls_keep(now)) {
		COUNT(calls_full, 1);
		return false;
	}
	COUNT(kept, 1);
	return true;
}

static __always_inline bool keep(struct pt_regs *ctx)
{
	struct call now = {};

	now.plan = index_of(ctx, PT_REGS_IP(ctx));
	now.key = now.sp = PT_REGS_SP(ctx);
	now.caller = caller_of(ctx);
	arguments_of(ctx, now.arguments);
	now.time_ns = bpf_ktime_get_ns();
	return keep_counted(&now);
}

/* A call whose return emits the event. */
SEC("uprobe")
int peat_on_enter(struct pt_regs *ctx)
{
	if (peat_plan_has_begun && peat_accepts_current())
		keep(ctx);
	return peat_plan_result;
}

/* clang would join this load and others, which the verifier refuses. */
static __always_inline __u64 result_of(struct pt_regs *ctx)
{
	__u64 result = PT_REGS_RC(ctx);

	barrier_var(result);
	return result;
}

/* A return of a call at `time_ns`.  `call`: what else was kept of it, or NULL. */
static __always_inline void emit_return(void *ctx, __u64 result, __u32 index, __u64 time_ns,
					const struct call *call, __u64 ctx_kind)
{
	const struct function_plan *plan = plan_at(index);
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, ctx_kind, &values) : 0;
	if (!event)
		return;
	if (call) {
#pragma clang loop unroll(full)
		for (int i = 0; i < CALLS_ARGUMENTS; i++)
			values[PLAN_ARG0 + i] = call->arguments[i];
		values[PLAN_SP] = call->sp;
		values[PLAN_CALLER] = call->caller;
	}
	values[PLAN_RESULT] = result;
	values[PLAN_LATENCY] = bpf_ktime_get_ns() - time_ns;
	emit(ctx, event, values, plan, ctx_kind);
}

/* The call that was kept with this key returns. */
static __always_inline void finish(void *ctx, __u64 result, __u64 key, __u64 ctx_kind)
{
	const struct call *call;
	bool in_hash;

	call = calls_find(key, &in_hash);
	if (!call) {
		COUNT(no_call, 1);
		return;
	}
	COUNT(returned, 1);
	emit_return(ctx, result, call->plan, call->time_ns, call, ctx_kind);
	if (in_hash)
		calls_forget(key);
}

/* Filters are tested at the call: the return of one that they refused is no missing call. */
SEC("uretprobe")
int peat_on_return(struct pt_regs *ctx)
{
	__u64 result = result_of(ctx);

	if (peat_plan_has_begun && peat_accepts_current())
		finish(ctx, result, PT_REGS_SP(ctx) - peat_plan_return_sp, PEAT_CTX_REGISTERS);
	return peat_plan_result;
}

/* ---- sessions -------------------------------------------------------------------------------- */

static long (*const session_is_return)(void *ctx) = (void *)PLAN_SESSION_IS_RETURN;
static __u64 *(*const session_cookie)(void *ctx) = (void *)PLAN_SESSION_COOKIE;

/* The cookie becomes the key, or the time of the call.  False: its return is not wanted. */
static __always_inline bool begin_session(struct pt_regs *ctx, __u64 *cookie)
{
	if (!peat_plan_has_begun || !peat_accepts_current())
		return false;
	if (peat_plan_keeps_calls) {
		*cookie = PT_REGS_SP(ctx);
		return keep(ctx);
	}
	*cookie = bpf_ktime_get_ns();
	return true;
}

static __always_inline void end_session(struct pt_regs *ctx, __u64 cookie)
{
	__u64 result = result_of(ctx);

	if (peat_plan_keeps_calls)
		finish(ctx, result, cookie, PEAT_CTX_REGISTERS);
	else
		emit_return(ctx, result, index_of(ctx, 0), cookie, 0, PEAT_CTX_REGISTERS);
}

/* A call, and its return unless this is 1.  The kernel keeps the cookie in between. */
SEC("uprobe")
int peat_on_session(struct pt_regs *ctx)
{
	__u64 *cookie = session_cookie(ctx);

	if (!(session_is_return(ctx) & 1)) /* a bool: one byte of the register */
		return !begin_session(ctx, cookie);
	end_session(ctx, *cookie);
	return 0;
}

/* ---- functions without kprobes --------------------------------------------------------------- */

/* Functions of the kernel by fentry and fexit: without the registers (Linux 5.17). */
static __always_inline void parameters_of(void *ctx, __u64 *values)
{
#pragma clang loop unroll(full)
	for (int i = 0; i < CALLS_ARGUMENTS; i++) {
		__u64 value = 0; /* on the stack: the verifier wants it aligned */

		bpf_get_func_arg(ctx, i, &value); /* an error: the function has fewer */
		values[i] = value;
	}
}

SEC("fentry")
int peat_on_fentry_call(void *ctx)
{
	const struct function_plan *plan = peat_plan_has_begun ? plan_at(peat_plan_index) : 0;
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, PEAT_CTX_OTHER, &values) : 0;
	if (!event)
		return 0;
	parameters_of(ctx, values + PLAN_ARG0);
	emit(ctx, event, values, plan, PEAT_CTX_OTHER);
	return 0;
}

/* The kernel has one ctx for the call and the return, on the stack: its address is the key. */
SEC("fentry")
int peat_on_fentry(void *ctx)
{
	struct call now = {};

	if (!peat_plan_has_begun || !peat_accepts_current())
		return 0;
	now.plan = peat_plan_index;
	now.key = (__u64)ctx;
	parameters_of(ctx, now.arguments);
	now.time_ns = bpf_ktime_get_ns();
	keep_counted(&now);
	return 0;
}

SEC("fexit")
int peat_on_fexit(void *ctx)
{
	__u64 result = 0;

	if (!peat_plan_has_begun || !peat_accepts_current())
		return 0;
	bpf_get_func_ret(ctx, &result);
	finish(ctx, result, (__u64)ctx, PEAT_CTX_OTHER);
	return 0;
}

/* ---- preloading ------------------------------------------------------------------------------ */

/* clang would join the loads behind ctx + offset, which the verifier refuses. */
#define USE_REGISTER(value, source, number, name)                                                  \
	do {                                                                                       \
		if ((source) == (number))                                                          \
			(value) = (name);                                                          \
		barrier_var(value);                                                                \
	} while (0)

/* The result of a function is known too late: 0, which leads nowhere. */
static __always_inline __u64 preload_value(struct pt_regs *ctx, __u32 source)
{
	__u64 value = 0;

	USE_REGISTER(value, source, PLAN_ARG0, PT_REGS_PARM1(ctx));
	USE_REGISTER(value, source, PLAN_ARG1, PT_REGS_PARM2(ctx));
	USE_REGISTER(value, source, PLAN_ARG2, PT_REGS_PARM3(ctx));
	USE_REGISTER(value, source, PLAN_ARG3, PT_REGS_PARM4(ctx));
	USE_REGISTER(value, source, PLAN_ARG4, PT_REGS_PARM5(ctx));
#if defined(__TARGET_ARCH_x86)
	USE_REGISTER(value, source, PLAN_ARG5, ctx->r9);
#elif defined(__TARGET_ARCH_arm64)
	USE_REGISTER(value, source, PLAN_ARG5, ((const struct user_pt_regs *)ctx)->regs[5]);
	USE_REGISTER(value, source, PLAN_ARG6, ((const struct user_pt_regs *)ctx)->regs[6]);
	USE_REGISTER(value, source, PLAN_ARG7, ((const struct user_pt_regs *)ctx)->regs[7]);
#endif
	USE_REGISTER(value, source, PLAN_SP, PT_REGS_SP(ctx));
	return value;
}

/* At the call, also for plans of returns. */
PEAT_PRELOAD SEC("?uprobe.s") int peat_on_preload(struct pt_regs *ctx)
{
	const struct function_plan *plan =
		peat_plan_has_begun ? plan_at(index_of(ctx, PT_REGS_IP(ctx))) : 0;

	if (plan)
		preload(ctx, plan);
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
