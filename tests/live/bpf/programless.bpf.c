// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* programless: a perf event array that no program writes to. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, int);
	__type(value, int);
} events SEC(".maps");

char LICENSE[] SEC("license") = "Dual BSD/GPL";
