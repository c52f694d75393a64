// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* functions: programs of functions of the kernel, which some kernels refuse. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("fentry/do_exit") int function(__u64 *ctx)
{
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, ctx, sizeof(*ctx));
	return 0;
}

SEC("lsm/bprm_check_security") int hook(__u64 *ctx)
{
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, ctx, sizeof(*ctx));
	return 0;
}
