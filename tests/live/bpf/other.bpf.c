// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* other: a second object on a channel, with a type of its own. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

struct other {
	__u64 number;
};

SEC("raw_tp/sys_enter")
int another(struct bpf_raw_tracepoint_args *ctx)
{
	struct other *e = peat_reserve(ctx, struct other);

	if (!e)
		return 1;
	e->number = ctx->args[0];
	return peat_submit(ctx, e);
}
