/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * functions/preload.bpf.h: touches the user memory that the reads of a plan lead to, before the
 * program that follows them runs.  Programs that may not sleep cannot read pages that the process
 * has not used yet.
 */
#ifndef PEAT_FUNCTIONS_PRELOAD_BPF_H
#define PEAT_FUNCTIONS_PRELOAD_BPF_H

#include <peat/peat.bpf.h>

#include "functions/plan.h"

/* The value that a read begins with. */
static __always_inline __u64 preload_value(struct pt_regs *ctx, __u32 source);

/* Follows the pointers from a value.  Nothing is behind one that cannot be read. */
static __always_inline void preload_read(const struct plan_read *read, __u64 address)
{
	__u64 steps = read->steps;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < PLAN_STEPS - 1; i++) {
		if (i + 1 >= steps)
			break;
		address += read->offset[i];
		if (bpf_copy_from_user(&address, sizeof(address), (void *)address))
			return;
	}
	address += read->offset[(steps - 1) & (PLAN_STEPS - 1)];
	peat_touch(address, read->width ? read->width : read->bytes);
}

static __always_inline void preload(struct pt_regs *ctx, const struct function_plan *plan)
{
#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < PLAN_READS; i++) {
		const struct plan_read *read = &plan->read[i];

		if (i >= plan->reads)
			break;
		if (read->steps && read->flags & PLAN_USER)
			preload_read(read, preload_value(ctx, read->source));
	}
}

#endif /* PEAT_FUNCTIONS_PRELOAD_BPF_H */
