// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tables: counts getpgid(2) of one process in a map of each type, by the variable `number`, which
 * the process sets before the call.  `counted` has the runs of each number: a kernel that preempts
 * programs skips those that interrupt another run.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "tables.bpf.h"

#define TABLE(map_type, entries, key_type, value_type)                                             \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_##map_type);                                             \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	}

TABLE(HASH, 4096, struct tables_key, struct tables_value)
in_hash SEC(".maps") PEAT_TABLE("calls in a hash table");
TABLE(PERCPU_HASH, 4096, struct tables_key, struct tables_value)
in_percpu_hash_table SEC(".maps") PEAT_TABLE("calls in a hash table per CPU");
TABLE(LRU_HASH, 4096, __u32, __u64) in_lru SEC(".maps") PEAT_TABLE("calls in an LRU table");
TABLE(LRU_PERCPU_HASH, 4096, __u32, __u64) in_percpu_lru SEC(".maps") PEAT_TABLE("");
TABLE(ARRAY, TABLES_ARRAY, __u32, __u64) in_array SEC(".maps") PEAT_TABLE("calls in an array");
TABLE(PERCPU_ARRAY, TABLES_ARRAY, __u32, struct tables_hist)
in_percpu_array SEC(".maps") PEAT_HIST(us) PEAT_TABLE("a histogram per CPU");
TABLE(HASH, 64, __u32, __u32) untagged SEC(".maps");

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
__u32 number;
__u64 counted[TABLES_ARRAY];

static __always_inline void count_struct(void *map, const struct tables_key *key)
{
	static const struct tables_value zero;
	struct tables_value *value = bpf_map_lookup_elem(map, key);

	if (!value) {
		bpf_map_update_elem(map, key, &zero, BPF_NOEXIST);
		value = bpf_map_lookup_elem(map, key);
	}
	if (!value)
		return;
	__sync_fetch_and_add(&value->count, 1);
	if (value->max < number)
		value->max = number;
	bpf_get_current_comm(value->comm, sizeof(value->comm));
}

static __always_inline void count_number(void *map, __u32 key)
{
	__u64 zero = 0, *value = bpf_map_lookup_elem(map, &key);

	if (!value) {
		bpf_map_update_elem(map, &key, &zero, BPF_NOEXIST);
		value = bpf_map_lookup_elem(map, &key);
	}
	if (value)
		__sync_fetch_and_add(value, 1);
}

static __always_inline void count_slot(void)
{
	__u32 key = 1, slot = number;
	struct tables_hist *hist = bpf_map_lookup_elem(&in_percpu_array, &key);

	if (hist && slot < 27)
		__sync_fetch_and_add(&hist->slots[slot], 1);
}

SEC("raw_tp/sys_enter")
int count_calls(struct bpf_raw_tracepoint_args *ctx)
{
	struct tables_key key = { bpf_get_current_pid_tgid() >> 32, number };

	if (ctx->args[1] != getpgid_number || key.pid != only_pid || key.number >= TABLES_ARRAY)
		return 0;
	__sync_fetch_and_add(&counted[key.number], 1);
	count_struct(&in_hash, &key);
	count_struct(&in_percpu_hash_table, &key);
	count_number(&in_lru, key.number);
	count_number(&in_percpu_lru, key.number);
	count_number(&in_array, key.number);
	count_slot();
	return 0;
}
