// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters_wrong: a map that is declared as a counter, and cannot be one. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} hash SEC(".maps") __attribute__((btf_decl_tag("peat:counter:cycles")));
