// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* no_table: opened, never loaded: a map that is declared as a table, but has no entries. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps") PEAT_TABLE("no entries");

SEC("raw_tp/sys_enter") int first(void *ctx)
{
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &ctx, sizeof(ctx));
	return 0;
}
