// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/table_types.c: the types of maps that have keys and values. */
#include <linux/bpf.h>

#include "schema/table_types.h"

bool table_types__has(uint32_t type, bool *is_per_cpu)
{
	*is_per_cpu = type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
		      type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
	return *is_per_cpu || type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_HASH || type == BPF_MAP_TYPE_LPM_TRIE;
}
