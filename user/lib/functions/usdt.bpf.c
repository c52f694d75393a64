// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * functions/usdt.bpf.c: a program for any USDT: like plan.bpf.c, with the arguments that libbpf
 * finds in the notes of the file.  An object of its own, since libbpf's part has maps of its own.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>
#include <peat/peat.bpf.h>

#include "functions/emit.bpf.h"
#include "functions/preload.bpf.h"

_Static_assert(PLAN_SCRATCH >= BPF_USDT_MAX_ARG_CNT, "all arguments have a place");

SEC("usdt")
int peat_on_usdt(struct pt_regs *ctx)
{
	const struct function_plan *plan = peat_plan_has_begun ? plan_at(bpf_usdt_cookie(ctx)) : 0;
	__u64 *values;
	void *event;

	event = plan ? reserve(ctx, plan, PEAT_CTX_REGISTERS, &values) : 0;
	if (!event)
		return peat_plan_result;
#pragma clang loop unroll(disable)
	for (int i = 0; i < BPF_USDT_MAX_ARG_CNT; i++) {
		long value = 0;

		bpf_usdt_arg(ctx, i, &value);
		values[i] = value;
	}
	emit(ctx, event, values, plan, PEAT_CTX_REGISTERS);
	return peat_plan_result;
}

static __always_inline __u64 preload_value(struct pt_regs *ctx, __u32 source)
{
	long value = 0;

	bpf_usdt_arg(ctx, source, &value);
	return value;
}

PEAT_PRELOAD SEC("?uprobe.s") int peat_on_preload(struct pt_regs *ctx)
{
	const struct function_plan *plan = peat_plan_has_begun ? plan_at(bpf_usdt_cookie(ctx)) : 0;

	if (plan)
		preload(ctx, plan);
	return peat_plan_result;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
