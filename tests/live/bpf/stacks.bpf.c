// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* stacks: programs of each kind whose events have stacks.  The tests load one at a time. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "take.bpf.h"

const volatile __u32 only_pid = 0, only_call = 0;

__u64 submitted = 0, refused = 0;

struct stacked {
	__u64 number;
	PEAT_STACKS;
};

#define MINE (bpf_get_current_pid_tgid() >> 32 == only_pid)

#define EMIT(ctx)                                                                                  \
	({                                                                                         \
		struct stacked *e = peat_reserve_stacks(ctx, struct stacked);                      \
                                                                                                   \
		if (e)                                                                             \
			e->number = TAKE(submitted);                                               \
		else                                                                               \
			__sync_fetch_and_add(&refused, 1);                                         \
		e ? peat_submit_stacks(ctx, e) : PEAT_RETURN(ctx);                                 \
	})

SEC("raw_tracepoint/sys_enter")
int of_raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	return ctx->args[1] == only_call && MINE ? EMIT(ctx) : PEAT_RETURN(ctx);
}

SEC("tp_btf/sys_enter")
int of_tp_btf(unsigned long long *ctx)
{
	return ctx[1] == only_call && MINE ? EMIT(ctx) : PEAT_RETURN(ctx);
}

struct entered {
	__u64 common;
	long id;
};

SEC("tp/raw_syscalls/sys_enter")
int of_tp(struct entered *ctx)
{
	return ctx->id == only_call && MINE ? EMIT(ctx) : PEAT_RETURN(ctx);
}

SEC("uprobe")
int of_uprobe(struct pt_regs *ctx)
{
	return MINE ? EMIT(ctx) : PEAT_RETURN(ctx);
}

SEC("perf_event")
int of_perf_event(struct bpf_perf_event_data *ctx)
{
	return MINE ? EMIT(ctx) : PEAT_RETURN(ctx);
}

/* Two events at once, the second with a variable length before its stacks. */
struct named {
	__u32 bytes;
	char name[60] PEAT_LEN(bytes);
	PEAT_STACKS;
};

SEC("raw_tracepoint/sys_enter")
int of_two(struct bpf_raw_tracepoint_args *ctx)
{
	struct stacked *e;
	struct named *named;
	long bytes;

	if (ctx->args[1] != only_call || !MINE)
		return PEAT_RETURN(ctx);
	e = peat_reserve_stacks(ctx, struct stacked);
	if (!e)
		return PEAT_RETURN(ctx);
	e->number = TAKE(submitted);
	named = peat_reserve_stacks_for(ctx, struct named,
					(struct task_struct *)bpf_get_current_task());
	if (!named)
		return peat_discard(ctx, e);
	bytes = bpf_get_current_comm(named->name, 16) ? 0 : 16;
	named->bytes = bytes;
	peat_submit_stacks_bytes(ctx, named, __builtin_offsetof(struct named, name) + bytes);
	return peat_submit_stacks(ctx, e);
}
