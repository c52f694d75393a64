// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* zero: programs that return 0, as those of most other projects do. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

__u64 runs[4];

static __always_inline int send(void *ctx, __u32 i)
{
	runs[i]++;
	if (bpf_get_current_pid_tgid() >> 32 == 1)
		return 0;
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &i, sizeof(i));
	return 0;
}

SEC("tp/syscalls/sys_enter_getpgid") int on_tracepoint(void *ctx)
{
	return send(ctx, 0);
}

SEC("uprobe/libc.so.6:getpgid") int on_uprobe(struct pt_regs *ctx)
{
	return send(ctx, 1);
}

SEC("ksyscall/getpgid") int on_kprobe(struct pt_regs *ctx)
{
	return send(ctx, 2);
}

/* Two values, so that the compiler does not replace the call's result by one constant. */
static __noinline int count(void)
{
	if (runs[3]++ > 1000)
		return 12345;
	bpf_ktime_get_ns();
	return 0;
}

SEC("tp/syscalls/sys_enter_getsid") int by_function(void *ctx)
{
	return count();
}

char zero_license[] SEC("license") = "Dual BSD/GPL";
