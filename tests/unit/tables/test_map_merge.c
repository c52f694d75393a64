// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_map_merge.c: values of several CPUs become one, and differences. */
#include <stddef.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "support/machine/harness.h"
#include "tables/map_merge.h"
#include "unit/suite.h"

struct inner {
	uint32_t hits, max;
};

/* The value of a map, as its BTF below describes it. */
struct value {
	uint64_t count;
	int16_t balance;
	uint8_t small;
	uint8_t is_set;
	uint32_t min;
	int32_t max;
	float half;
	double whole;
	char comm[8];
	struct inner inner[2];
	uint32_t slots[4];
	int32_t last;
	uint16_t levels[2];
	uint64_t padding;
};

static struct map_schema made;
static struct map_merge_plan plan;

static void describe(struct btf *btf)
{
	int u8 = btf__add_int(btf, "u8", 1, 0), u32 = btf__add_int(btf, "u32", 4, 0);
	int u64 = btf__add_int(btf, "u64", 8, 0), s16 = btf__add_int(btf, "s16", 2, BTF_INT_SIGNED);
	int s32 = btf__add_int(btf, "s32", 4, BTF_INT_SIGNED);
	int truth = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	int letter = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	int f4 = btf__add_float(btf, "float", 4), f8 = btf__add_float(btf, "double", 8);
	int inner = btf__add_struct(btf, "inner", 8), value, inners, comm, slots, levels;
	struct map_type type = { .name = "map",
				 .btf = btf,
				 .key_id = (uint32_t)u32,
				 .key_bytes = 4,
				 .value_bytes = sizeof(struct value) };

#define MEMBER(name, type)                                                                         \
	ck_assert_int_eq(btf__add_field(btf, #name, type, offsetof(struct value, name) * 8, 0), 0)
	ck_assert_int_eq(btf__add_field(btf, "hits", u32, 0, 0), 0);
	ck_assert_int_eq(btf__add_field(btf, "max", u32, 32, 0), 0);
	inners = btf__add_array(btf, u32, inner, 2);
	comm = btf__add_array(btf, u32, letter, 8);
	slots = btf__add_array(btf, u32, u32, 4);
	levels = btf__add_array(btf, u32, btf__add_int(btf, "u16", 2, 0), 2);
	value = btf__add_struct(btf, "value", sizeof(struct value));
	MEMBER(count, u64);
	MEMBER(balance, s16);
	MEMBER(small, u8);
	MEMBER(is_set, truth);
	MEMBER(min, u32);
	MEMBER(max, s32);
	MEMBER(half, f4);
	MEMBER(whole, f8);
	MEMBER(comm, comm);
	MEMBER(inner, inners);
	MEMBER(slots, slots);
	MEMBER(last, s32);
	MEMBER(levels, levels);
#undef MEMBER
	ck_assert_int_gt(btf__add_decl_tag(btf, "peat:merge:first", value, 11), 0);
	type.value_id = (uint32_t)value;
	ck_assert_int_eq(map_schema__make(&made, &type), 0);
}

static void setup(void)
{
	struct btf *btf = btf__new_empty();

	ck_assert_ptr_nonnull(btf);
	describe(btf);
	ck_assert_int_eq(map_merge__make(&plan, &made, sizeof(struct value)), 0);
	btf__free(btf);
}

static void teardown(void)
{
	map_merge__free(&plan);
	map_schema__free(&made);
}

static const struct value one = {
	.count = 5,
	.balance = -3,
	.small = 200,
	.min = 7,
	.max = -9,
	.half = 0.5F,
	.whole = 1.25,
	.inner = { { 1, 10 }, { 2, 5 } },
	.slots = { 1, 0, 2, 0 },
	.levels = { 5, 65535 },
	.padding = 99,
};

static const struct value other = {
	.count = 6,
	.balance = -4,
	.small = 100,
	.is_set = 1,
	.min = 3,
	.max = -20,
	.half = 0.25F,
	.whole = 2,
	.comm = "two",
	.inner = { { 10, 7 }, { 20, 6 } },
	.slots = { 1, 1, 0, 4 },
	.last = -1,
	.levels = { 6, 1 },
};

START_TEST(test_merges_cpus)
{
	struct value cpus[4] = { { 0 }, one, { 0 }, other }, sum;

	map_merge__cpus(&plan, &sum, cpus, sizeof(sum), 4);
	ck_assert_uint_eq(sum.count, 11);
	ck_assert_int_eq(sum.balance, -7);
	ck_assert_uint_eq(sum.small, 255); /* not 44 */
	ck_assert_uint_eq(sum.is_set, 1);
	ck_assert_uint_eq(sum.min, 3);
	ck_assert_int_eq(sum.max, -9);
	ck_assert(sum.half == 0.75F && sum.whole == 3.25);
	ck_assert_str_eq(sum.comm, "two");
	ck_assert_uint_eq(sum.inner[0].hits, 11);
	ck_assert_uint_eq(sum.inner[0].max, 10);
	ck_assert_uint_eq(sum.inner[1].hits, 22);
	ck_assert_uint_eq(sum.inner[1].max, 6);
	ck_assert_int_eq(memcmp(sum.slots, (uint32_t[]){ 2, 1, 2, 4 }, sizeof(sum.slots)), 0);
	ck_assert_int_eq(sum.last, -1);
	ck_assert_uint_eq(sum.levels[0], 11);
	ck_assert_uint_eq(sum.levels[1], 65535);
	ck_assert_uint_eq(sum.padding, 0); /* no field has it */
}
END_TEST

/* A CPU without the entry has no smallest number, whichever it is. */
START_TEST(test_unused_cpus)
{
	struct value zero = { 0 }, sum;

	map_merge__cpus(&plan, &sum, (struct value[]){ zero, other }, sizeof(sum), 2);
	ck_assert_uint_eq(sum.min, 3);
	map_merge__cpus(&plan, &sum, (struct value[]){ other, zero }, sizeof(sum), 2);
	ck_assert_uint_eq(sum.min, 3);
	map_merge__cpus(&plan, &sum, (struct value[]){ zero, zero }, sizeof(sum), 2);
	ck_assert_uint_eq(sum.min, 0);
}
END_TEST

/* The order of CPUs matters only for the first that is not 0. */
START_TEST(test_first_value_stays)
{
	struct value a = { .last = 4, .comm = "a" }, b = { .last = 5, .comm = "b" }, sum;

	map_merge__cpus(&plan, &sum, (struct value[]){ b, a }, sizeof(sum), 2);
	ck_assert_int_eq(sum.last, 5);
	ck_assert_str_eq(sum.comm, "b");
}
END_TEST

START_TEST(test_one_cpu)
{
	struct value value, zero = { 0 };

	map_merge__cpus(&plan, &value, &zero, sizeof(value), 1);
	ck_assert_int_eq(memcmp(&value, &zero, sizeof(value)), 0);
	map_merge__cpus(&plan, &value, &other, sizeof(value), 1);
	ck_assert_int_eq(memcmp(&value, &other, sizeof(value)), 0);
}
END_TEST

START_TEST(test_subtracts_earlier_values)
{
	struct value now = other, earlier = other;

	earlier.count = 4;
	earlier.balance = 10;
	earlier.small = 1;
	earlier.min = 1;
	earlier.half = 0.125F;
	earlier.inner[1].hits = 15;
	earlier.slots[3] = 1;
	map_merge__subtract(&plan, &now, &earlier);
	ck_assert_uint_eq(now.count, 2);
	ck_assert_int_eq(now.balance, -14);
	ck_assert_uint_eq(now.small, 99);
	ck_assert_uint_eq(now.min, 3);
	ck_assert_int_eq(now.max, -20);
	ck_assert(now.half == 0.125F && now.whole == 0);
	ck_assert_str_eq(now.comm, "two");
	ck_assert_uint_eq(now.inner[0].hits, 0);
	ck_assert_uint_eq(now.inner[0].max, 7);
	ck_assert_uint_eq(now.inner[1].hits, 5);
	ck_assert_int_eq(memcmp(now.slots, (uint32_t[]){ 0, 0, 0, 3 }, sizeof(now.slots)), 0);
	ck_assert_int_eq(now.last, -1);
}
END_TEST

/* The entry was deleted and made again meanwhile. */
START_TEST(test_smaller_amounts)
{
	struct value now = other, earlier = { .count = 1, .slots = { 0, 2 } };

	map_merge__subtract(&plan, &now, &earlier);
	ck_assert_int_eq(memcmp(&now, &other, sizeof(now)), 0);
}
END_TEST

/* Kinds of values that intervals do not change. */
START_TEST(test_has_amounts)
{
	struct merge_part parts[] = { { .merge = MAP_MERGE_FIRST }, { .merge = MAP_MERGE_MAX } };
	struct map_merge_plan current = { parts, 2, 8 };

	ck_assert(map_merge__has_amounts(&plan));
	ck_assert(!map_merge__has_amounts(&current));
	parts[1].merge = MAP_MERGE_SUM;
	ck_assert(map_merge__has_amounts(&current));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_merges_cpus);
	tcase_add_test(tests, test_unused_cpus);
	tcase_add_test(tests, test_first_value_stays);
	tcase_add_test(tests, test_one_cpu);
	tcase_add_test(tests, test_subtracts_earlier_values);
	tcase_add_test(tests, test_smaller_amounts);
	tcase_add_test(tests, test_has_amounts);
}
