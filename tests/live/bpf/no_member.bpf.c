// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* no_member: a program that reads a member that no kernel has. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

struct task_struct___other {
	int no_such;
} __attribute__((preserve_access_index));

SEC("raw_tp/sys_enter") int no_member(void *ctx)
{
	struct task_struct___other *task = (void *)bpf_get_current_task();
	__u32 value = BPF_CORE_READ(task, no_such);

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &value, sizeof(value));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
