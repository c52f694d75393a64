// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_buckets.c: sums of histograms. */
#include <math.h>

#include "prometheus/buckets.h"
#include "unit/suite.h"

static void check(const struct buckets *buckets, const struct peat_bucket *expected, uint32_t count)
{
	ck_assert_uint_eq(buckets->count, count);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert(buckets->at[i].upper >= expected[i].upper &&
			  buckets->at[i].upper <= expected[i].upper);
		ck_assert_uint_eq(buckets->at[i].count, expected[i].count);
	}
}

START_TEST(test_adds_same_bounds)
{
	const struct peat_bucket more[] = { { 1, 2 }, { 4, 0 }, { INFINITY, 5 } };
	const struct peat_bucket sum[] = { { 1, 4 }, { 4, 0 }, { INFINITY, 10 } };
	struct arena memory = { 0 };
	struct buckets buckets = { 0 };
	size_t bytes;

	ck_assert(buckets__add(&memory, &buckets, more, 3));
	check(&buckets, more, 3);
	bytes = memory.bytes;
	for (int i = 0; i < 1000; i++)
		ck_assert(buckets__add(&memory, &buckets, more, 3));
	ck_assert_uint_eq(memory.bytes, bytes);
	buckets = (struct buckets){ 0 };
	ck_assert(buckets__add(&memory, &buckets, more, 3));
	ck_assert(buckets__add(&memory, &buckets, more, 3));
	check(&buckets, sum, 3);
	arena__free(&memory);
}
END_TEST

START_TEST(test_joins_other_bounds)
{
	const struct peat_bucket a[] = { { 1, 1 }, { 10, 2 }, { INFINITY, 3 } };
	const struct peat_bucket b[] = { { 5, 4 }, { INFINITY, 5 } };
	const struct peat_bucket c[] = { { 1, 1 }, { 2, 1 }, { INFINITY, 1 } };
	const struct peat_bucket ab[] = { { 1, 1 }, { 5, 4 }, { 10, 2 }, { INFINITY, 8 } };
	const struct peat_bucket abc[] = {
		{ 1, 2 }, { 2, 1 }, { 5, 4 }, { 10, 2 }, { INFINITY, 9 }
	};
	struct arena memory = { 0 };
	struct buckets buckets = { 0 };

	ck_assert(buckets__add(&memory, &buckets, a, 3));
	ck_assert(buckets__add(&memory, &buckets, b, 2));
	check(&buckets, ab, 4);
	ck_assert(buckets__add(&memory, &buckets, c, 3));
	check(&buckets, abc, 5);
	ck_assert_uint_eq(a[0].count, 1);
	arena__free(&memory);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_adds_same_bounds);
	tcase_add_test(tests, test_joins_other_bounds);
}
