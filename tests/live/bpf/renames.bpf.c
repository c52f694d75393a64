// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * renames: emits, without peat's header, the new name of each task that is renamed to "peat#...",
 * and counts the results.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} renames SEC(".maps");

/* In the order of enum renames_count. */
__u64 counts[4];

static __always_inline void count(__u32 which)
{
	__sync_fetch_and_add(&counts[which & 3], 1);
}

SEC("raw_tp/task_rename")
int on_rename(struct bpf_raw_tracepoint_args *ctx)
{
	char name[16] = {};
	long err;

	bpf_probe_read_kernel_str(name, sizeof(name), (const void *)ctx->args[1]);
	if (name[0] != 'p' || name[1] != 'e' || name[2] != 'a' || name[3] != 't' || name[4] != '#')
		return 0;
	err = bpf_perf_event_output(ctx, &renames, BPF_F_CURRENT_CPU, name, sizeof(name));
	count(err == 0 ? 0 : err == -28 ? 1 : err == -2 ? 2 : 3);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
