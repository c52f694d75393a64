// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* legacy_sections: definitions of gobpf, each in a section of its own. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct bpf_map_def {
	__u32 type;
	__u32 key_size;
	__u32 value_size;
	__u32 max_entries;
	__u32 map_flags;
	__u32 pinning;
	char namespace[256];
};

struct bpf_map_def SEC("maps/first") first = {
	BPF_MAP_TYPE_HASH, 4, 8, 7, 0, 0, "",
};
struct bpf_map_def SEC("maps/second") second = {
	BPF_MAP_TYPE_ARRAY, 4, 16, 2, 0, 2, "a directory",
};

SEC("raw_tp/task_rename")
int use_maps(void *ctx)
{
	__u32 key = 0;

	bpf_map_delete_elem(&first, &key);
	bpf_map_lookup_elem(&second, &key);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
