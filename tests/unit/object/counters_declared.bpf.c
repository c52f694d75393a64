// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters_declared: counters as programs declare them. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

PEAT_COUNTER(required, "page-faults") PEAT_DOC("a few words");
PEAT_OPTIONAL PEAT_COUNTER(optional, "cpu/event=0x3c,umask=0x0/u");

/* As foreign objects have it: no counter. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps") PEAT_DOC("no counter");

SEC("raw_tp/sys_enter")
int read_both(void *ctx)
{
	struct peat_count count;

	bpf_perf_event_output(ctx, &events, 0xffffffffULL, &count, sizeof(count));
	return peat_count_read(required, &count) || peat_count_read(optional, &count);
}
