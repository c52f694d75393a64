// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * many: an object without peat's header, with four perf event arrays for different events.  Each
 * getpgid(2) of one process writes to all of them, in turn.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "many.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} first SEC(".maps"), second SEC(".maps"), third SEC(".maps"), fourth SEC(".maps");

struct of_first {
	struct many_head head;
	char comm[16];
};

struct of_second {
	struct many_head head;
	__u64 time_ns, cpu;
};

struct of_third {
	struct many_head head;
	__s32 balance;
};

struct of_fourth {
	struct many_head head;
};

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
__u32 calls;

#define HEAD(map)                                                                                  \
	{                                                                                          \
		map, calls                                                                         \
	}

SEC("raw_tp/sys_enter")
int many(struct bpf_raw_tracepoint_args *ctx)
{
	struct of_first one = { HEAD(0), "" };
	struct of_second two = { HEAD(1), 0, 0 };
	struct of_third three = { HEAD(2), -5 };
	struct of_fourth four = { HEAD(3) };

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	bpf_get_current_comm(one.comm, sizeof(one.comm));
	two.time_ns = bpf_ktime_get_ns();
	two.cpu = bpf_get_smp_processor_id();
	bpf_perf_event_output(ctx, &first, BPF_F_CURRENT_CPU, &one, sizeof(one));
	bpf_perf_event_output(ctx, &second, BPF_F_CURRENT_CPU, &two, sizeof(two));
	bpf_perf_event_output(ctx, &third, BPF_F_CURRENT_CPU, &three, sizeof(three));
	bpf_perf_event_output(ctx, &fourth, BPF_F_CURRENT_CPU, &four, sizeof(four));
	calls++;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
