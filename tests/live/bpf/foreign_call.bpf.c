// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* foreign_call: events of a rare system call, without peat.bpf.h: the kernel samples their stacks.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

const volatile __u32 call_number = 0;

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

char _license[] SEC("license") = "GPL";

SEC("raw_tp/sys_enter")
int by_call(struct bpf_raw_tracepoint_args *ctx)
{
	const __u64 number = 42;

	if (ctx->args[1] == call_number)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, (void *)&number,
				      sizeof(number));
	return 0;
}
