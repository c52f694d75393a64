// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters_alone: a counter of a program without peat.bpf.h, beside its own perf event array. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/counter.bpf.h>

PEAT_COUNTER(faults, "page-faults");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;

char counters_license[] SEC("license") = "Dual BSD/GPL";

SEC("raw_tp/sys_enter")
int send_faults(struct bpf_raw_tracepoint_args *ctx)
{
	struct peat_count count;

	if (bpf_get_current_pid_tgid() >> 32 != only_pid || ctx->args[1] != getpgid_number)
		return 0;
	if (!peat_count_read(faults, &count))
		bpf_perf_event_output(ctx, &events, 0xffffffffULL, &count, sizeof(count));
	return 0;
}
