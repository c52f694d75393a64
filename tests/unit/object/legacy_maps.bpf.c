// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* legacy_maps: definitions from before BTF in one section: short, long, of iproute2, and static. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct bpf_map_def {
	__u32 type;
	__u32 key_size;
	__u32 value_size;
	__u32 max_entries;
	__u32 map_flags;
};

/* The samples of the kernel define maps so. */
struct longer_map_def {
	struct bpf_map_def known;
	__u32 inner_map_idx;
	__u32 numa_node;
};

/* iproute2 defines maps so. */
struct bpf_elf_map {
	__u32 type;
	__u32 size_key;
	__u32 size_value;
	__u32 max_elem;
	__u32 flags;
	__u32 id;
	__u32 pinning;
	__u32 inner_id;
	__u32 inner_idx;
};

struct bpf_map_def SEC("maps") counts = { BPF_MAP_TYPE_HASH, 4, 8, 7, 1 };
struct bpf_map_def SEC("maps") events = { BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 0, 0 };
struct longer_map_def SEC("maps") longer = { { BPF_MAP_TYPE_ARRAY, 4, 16, 2, 0 }, 0, 0 };
struct bpf_elf_map SEC("maps") of_iproute2 = { BPF_MAP_TYPE_ARRAY, 4, 24, 3, 0, 9, 2, 0, 0 };
static struct bpf_map_def SEC("maps") hidden = { BPF_MAP_TYPE_ARRAY, 4, 32, 0xffffffff, 0 };

SEC("raw_tp/task_rename")
int use_maps(void *ctx)
{
	__u32 key = 0;

	bpf_map_delete_elem(&counts, &key);
	bpf_map_lookup_elem(&longer, &key);
	bpf_map_lookup_elem(&of_iproute2, &key);
	bpf_map_lookup_elem(&hidden, &key);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &key, sizeof(key));
	return 0;
}

SEC("raw_tp/task_rename")
int use_none(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
