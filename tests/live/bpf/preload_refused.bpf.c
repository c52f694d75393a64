// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* preload_refused: a sleepable program that the kernel refuses, since it emits an event. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>
#include <bpf/bpf_tracing.h>

struct passed_on {
	__u64 number;
};

static __always_inline int send(struct pt_regs *ctx)
{
	struct passed_on *e = peat_reserve(ctx, struct passed_on);

	if (!e)
		return PEAT_RETURN(ctx);
	e->number = PT_REGS_PARM1(ctx);
	return peat_submit(ctx, e);
}

PEAT_PRELOAD SEC("uprobe.s//proc/self/exe:preload_touched") int wrong_preload(struct pt_regs *ctx)
{
	return send(ctx);
}

SEC("uprobe//proc/self/exe:preload_touched") int on_touched(struct pt_regs *ctx)
{
	return send(ctx);
}
