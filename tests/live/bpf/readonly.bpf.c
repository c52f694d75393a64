// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* readonly: an array created with BPF_F_RDONLY: its own fd cannot change it. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { MAP_RDONLY = 1 << 3 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(map_flags, MAP_RDONLY);
} events SEC(".maps");

SEC("raw_tp/sys_enter") int emit(void *ctx)
{
	__u64 number = 1;

	return (int)bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &number, sizeof(number));
}
