// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pinned: emits, without peat's header, the new name of each task that is renamed to "peat#...", to
 * a map that libbpf pins by its name.  Two more programs cannot be loaded, and not be attached.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

enum { PIN_BY_NAME = 1 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(pinning, PIN_BY_NAME);
} pinned_events SEC(".maps");

/* The number of events, of all programs that share the map. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__type(key, __u32);
	__type(value, __u64);
	__uint(max_entries, 1);
	__uint(pinning, PIN_BY_NAME);
} pinned_counts SEC(".maps");

SEC("raw_tp/task_rename")
int on_rename(struct bpf_raw_tracepoint_args *ctx)
{
	char name[16] = {};
	__u32 key = 0;
	__u64 *count;

	bpf_probe_read_kernel_str(name, sizeof(name), (const void *)ctx->args[1]);
	if (name[0] != 'p' || name[1] != 'e' || name[2] != 'a' || name[3] != 't' || name[4] != '#')
		return 0;
	count = bpf_map_lookup_elem(&pinned_counts, &key);
	if (count)
		__sync_fetch_and_add(count, 1);
	bpf_perf_event_output(ctx, &pinned_events, BPF_F_CURRENT_CPU, name, sizeof(name));
	return 0;
}

/* The verifier refuses it: a number is no address. */
SEC("raw_tp/task_rename")
int refused(void *ctx)
{
	__u32 key = 0;
	__u64 *count = bpf_map_lookup_elem(&pinned_counts, &key);

	return count ? *(volatile int *)*count : 0;
}

SEC("raw_tp/peat_has_no_such_tracepoint")
int nowhere(void *ctx)
{
	__u32 key = 0;

	return bpf_map_lookup_elem(&pinned_counts, &key) != 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
