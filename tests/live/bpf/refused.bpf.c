// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* refused: programs that the kernel or libbpf loads, but does not attach. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

char LICENSE[] SEC("license") = "Dual BSD/GPL";

static __always_inline int send(void *ctx, __u64 value)
{
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &value, sizeof(value));
	return 1;
}

struct too_long {
	__u64 words[513];
};

SEC("tp/syscalls/sys_enter_getpgid") int past_end(struct too_long *ctx)
{
	return send(ctx, ctx->words[512]);
}

/* sched_process_exit has two arguments. */
SEC("raw_tp/sched_process_exit") int no_argument(struct bpf_raw_tracepoint_args *ctx)
{
	return send(ctx, ctx->args[11]);
}

SEC("uprobe/getpgid") int no_file(struct pt_regs *ctx)
{
	return send(ctx, 0);
}

SEC("uprobe/libc.so.6:no_such_function_at_all") int no_function(struct pt_regs *ctx)
{
	return send(ctx, 0);
}
