// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * legacy_maps: emits, without peat's header, the number of the event and the new name of each task
 * that is renamed to "peat#...".  Its maps are defined as before libbpf 1.0, one of them as static.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

enum { NO_PREALLOC = 1 };

struct bpf_map_def {
	__u32 type;
	__u32 key_size;
	__u32 value_size;
	__u32 max_entries;
	__u32 map_flags;
};

struct renamed {
	__u64 number;
	__u64 flags;
	char name[16];
};

struct bpf_map_def SEC("maps") counts = {
	.type = BPF_MAP_TYPE_HASH,
	.key_size = sizeof(__u32),
	.value_size = sizeof(__u64),
	.max_entries = 7,
	.map_flags = NO_PREALLOC,
};

struct bpf_map_def SEC("maps") events = {
	.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
	.key_size = sizeof(__u32),
	.value_size = sizeof(__u32),
};

static struct bpf_map_def SEC("maps") flags = {
	.type = BPF_MAP_TYPE_ARRAY,
	.key_size = sizeof(__u32),
	.value_size = sizeof(__u64),
	.max_entries = 1,
};

static __always_inline __u64 next_number(void)
{
	__u64 *count, none = 0;
	__u32 key = 0;

	bpf_map_update_elem(&counts, &key, &none, BPF_NOEXIST);
	count = bpf_map_lookup_elem(&counts, &key);
	return count ? (*count)++ : 0;
}

SEC("raw_tp/task_rename")
int on_rename(struct bpf_raw_tracepoint_args *ctx)
{
	struct renamed event = {};
	__u32 key = 0;
	__u64 *flag;

	bpf_probe_read_kernel_str(event.name, sizeof(event.name), (const void *)ctx->args[1]);
	if (event.name[0] != 'p' || event.name[1] != 'e' || event.name[2] != 'a' ||
	    event.name[3] != 't' || event.name[4] != '#')
		return 0;
	flag = bpf_map_lookup_elem(&flags, &key);
	if (!flag)
		return 0;
	*flag = 5;
	event.flags = *flag;
	event.number = next_number();
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
