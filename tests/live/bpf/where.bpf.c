// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* where: addresses and stacks of the kernel. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct where {
	peat_kaddr_t function;
	peat_kaddr_t functions[2];
	peat_kstack_t stack;
} PEAT_DOC("where in the kernel a program runs");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 64);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 64 * sizeof(__u64));
} where_stacks SEC(".maps");

extern const void schedule __ksym;

PEAT_OPTION(__u32, only_pid, 0, "the one process to look at");
PEAT_OPTION(__u32, getpgid_number, 121, "that of the system call");

SEC("raw_tp/sys_enter")
int where(struct bpf_raw_tracepoint_args *ctx)
{
	struct where *e;

	if (bpf_get_current_pid_tgid() >> 32 != only_pid || ctx->args[1] != getpgid_number)
		return 0;
	e = peat_reserve(ctx, struct where);
	if (!e)
		return 0;
	e->function = (__u64)&schedule;
	e->functions[0] = 0;
	e->functions[1] = (__u64)&schedule + 1;
	e->stack = bpf_get_stackid(ctx, &where_stacks, 0);
	return peat_submit(ctx, e);
}
