// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kinds: tracing programs.  The tests load one at a time. */
#include "kinds.bpf.h"

const volatile __u32 only_pid = 0;

#define MINE (bpf_get_current_pid_tgid() >> 32 == only_pid)

/* Its name differs from that of tp_btf on a kernel without BTF. */
KIND("raw_tracepoint/sys_enter", of_raw_tp, MINE, 0)
KIND("tp_btf/sys_enter", of_tp_btf, MINE, 0)
KIND("tp/raw_syscalls/sys_enter", of_tp, MINE, 0)
KIND("perf_event", of_perf_event, MINE, 0)
KIND("uprobe", of_uprobe, MINE, 0)
KIND("kprobe", of_kprobe, MINE, 0)
KIND("uretprobe", of_uretprobe, MINE, 0)
KIND("kretprobe", of_kretprobe, MINE, 0)
KIND("kprobe.multi", of_kprobe_multi, MINE, 0)
KIND("fentry/bpf_fentry_test1", of_fentry, MINE, 0)
KIND("fexit/bpf_fentry_test1", of_fexit, MINE, 0)

/* Returns 0, which allows the call, as PEAT_RETURN() does for this type of ctx. */
SEC("lsm/task_getpgid")
int of_lsm(unsigned long long *ctx)
{
	struct kind *e = MINE ? peat_reserve(ctx, struct kind) : 0;

	if (!e) {
		if (MINE)
			__sync_fetch_and_add(&refused, 1);
		return 0;
	}
	e->number = TAKE(submitted);
	return peat_submit(ctx, e);
}

struct first {
	__u64 number;
	char name[16];
};

struct second {
	__u32 a, b, c;
	char path[256];
};

struct third {
	__u64 numbers[64];
};

/* Three types of events: two are reserved at the same time, one has any length. */
SEC("raw_tracepoint/sys_enter")
int three_types(struct bpf_raw_tracepoint_args *ctx)
{
	struct first *first = peat_reserve(ctx, struct first);
	struct second *second;
	struct third *third;
	long bytes;

	if (!first)
		return 1;
	first->number = ctx->args[0];
	bpf_get_current_comm(first->name, sizeof(first->name));
	second = peat_reserve(ctx, struct second);
	if (!second)
		return peat_discard(ctx, first);
	second->a = second->b = second->c = ctx->args[0];
	bytes = bpf_probe_read_kernel_str(second->path, sizeof(second->path), first->name);
	peat_submit(ctx, first);
	if (bytes < 0)
		peat_discard(ctx, second);
	else
		peat_submit_bytes(ctx, second, __builtin_offsetof(struct second, path) + bytes);
	third = peat_reserve(ctx, struct third);
	if (!third)
		return 1;
	__builtin_memset(third, 0, sizeof(*third));
	return peat_submit(ctx, third);
}
