// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_table_types.c: the types of maps that are tables. */
#include <linux/bpf.h>

#include "schema/table_types.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static void check(uint32_t type, bool is_table, bool is_per_cpu)
{
	bool answer = !is_per_cpu;

	ck_assert_int_eq(table_types__has(type, &answer), is_table);
	ck_assert_int_eq(answer, is_per_cpu);
}

START_TEST(test_types_of_tables)
{
	check(BPF_MAP_TYPE_HASH, true, false);
	check(BPF_MAP_TYPE_ARRAY, true, false);
	check(BPF_MAP_TYPE_LRU_HASH, true, false);
	check(BPF_MAP_TYPE_LPM_TRIE, true, false);
	check(BPF_MAP_TYPE_PERCPU_HASH, true, true);
	check(BPF_MAP_TYPE_PERCPU_ARRAY, true, true);
	check(BPF_MAP_TYPE_LRU_PERCPU_HASH, true, true);
	check(BPF_MAP_TYPE_PERF_EVENT_ARRAY, false, false);
	check(BPF_MAP_TYPE_HASH_OF_MAPS, false, false);
	check(BPF_MAP_TYPE_RINGBUF, false, false);
	check(UINT32_MAX, false, false);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_types_of_tables);
}
