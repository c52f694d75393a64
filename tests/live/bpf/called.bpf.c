// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* called: events with the stack of a rare system call. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

const volatile __u32 call_number = 0;

struct called {
	__u64 number;
	char text[16];
	PEAT_STACKS;
};

SEC("raw_tp/sys_enter")
int by_call(struct bpf_raw_tracepoint_args *ctx)
{
	struct called *e;

	if (ctx->args[1] != call_number)
		return 0;
	e = peat_reserve_stacks(ctx, struct called);
	if (!e)
		return 0;
	e->number = 42;
	__builtin_memcpy(e->text, "some text", 10);
	return peat_submit_stacks(ctx, e);
}
