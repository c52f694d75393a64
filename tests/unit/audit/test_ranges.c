// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ranges.c: sets of numbers: ranges that touch, overlap and contain each other; a model. */
#include <errno.h>
#include <stdlib.h>

#include "audit/ranges.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static uint64_t add(struct ranges *ranges, uint64_t first, uint64_t last)
{
	uint64_t fresh;

	ck_assert_int_eq(ranges__add(ranges, first, last, &fresh), 0);
	return fresh;
}

static void check_range(const struct ranges *ranges, size_t i, uint64_t first, uint64_t last)
{
	ck_assert_uint_lt(i, ranges->count);
	ck_assert_uint_eq(ranges->ranges[i].first, first);
	ck_assert_uint_eq(ranges->ranges[i].last, last);
}

START_TEST(test_ranges_that_touch_become_one)
{
	struct ranges ranges = { 0 };

	ck_assert_uint_eq(add(&ranges, 1, 10), 10);
	ck_assert_uint_eq(add(&ranges, 11, 20), 10);
	ck_assert_uint_eq(ranges.count, 1);
	check_range(&ranges, 0, 1, 20);
	ck_assert_uint_eq(add(&ranges, 31, 40), 10);
	ck_assert_uint_eq(ranges.count, 2);
	ck_assert_uint_eq(add(&ranges, 21, 30), 10);
	ck_assert_uint_eq(ranges.count, 1);
	check_range(&ranges, 0, 1, 40);
	ck_assert_uint_eq(ranges.numbers, 40);
	ranges__free(&ranges);
}
END_TEST

START_TEST(test_only_new_numbers_are_fresh)
{
	struct ranges ranges = { 0 };

	add(&ranges, 10, 19);
	ck_assert_uint_eq(add(&ranges, 10, 19), 0);
	ck_assert_uint_eq(add(&ranges, 12, 13), 0);
	ck_assert_uint_eq(add(&ranges, 5, 12), 5);
	ck_assert_uint_eq(add(&ranges, 18, 25), 6);
	add(&ranges, 40, 49);
	ck_assert_uint_eq(add(&ranges, 1, 100), 69);
	ck_assert_uint_eq(ranges.count, 1);
	ck_assert_uint_eq(ranges.numbers, 100);
	ranges__free(&ranges);
}
END_TEST

START_TEST(test_extreme_numbers)
{
	struct ranges ranges = { 0 };
	uint64_t fresh;

	ck_assert_int_eq(ranges__add(&ranges, 2, 1, &fresh), -EINVAL);
	ck_assert_uint_eq(add(&ranges, UINT64_MAX, UINT64_MAX), 1);
	ck_assert_uint_eq(add(&ranges, 0, 0), 1);
	ck_assert_uint_eq(ranges.count, 2);
	ck_assert_uint_eq(add(&ranges, 1, UINT64_MAX - 1), UINT64_MAX - 1);
	ck_assert_uint_eq(ranges.count, 1);
	ranges__free(&ranges);
}
END_TEST

/* Numbers below 64, a bit each. */
START_TEST(test_random_ranges_equal_a_model)
{
	srand(17);
	for (int round = 0; round < 500; round++) {
		struct ranges ranges = { 0 };
		uint64_t model = 0;

		for (int i = 0; i < 12; i++) {
			unsigned first = (unsigned)rand() % 62;
			unsigned last = first + (unsigned)rand() % 6;
			uint64_t bits = 0;

			last = last > 61 ? 61 : last;
			for (unsigned n = first; n <= last; n++)
				bits |= UINT64_C(1) << n;
			ck_assert_int_eq(add(&ranges, first, last),
					 __builtin_popcountll(bits & ~model));
			model |= bits;
			ck_assert_uint_eq(ranges.numbers, (unsigned)__builtin_popcountll(model));
			ck_assert_uint_eq(ranges.count,
					  (unsigned)__builtin_popcountll(model & ~(model << 1)));
		}
		ranges__free(&ranges);
	}
}
END_TEST

START_TEST(test_too_many_ranges_are_refused)
{
	struct ranges ranges = { 0 };
	uint64_t fresh;

	for (uint64_t i = 0; i < RANGES_MAX; i++)
		add(&ranges, 2 * i, 2 * i);
	ck_assert_int_eq(ranges__add(&ranges, 2 * RANGES_MAX, 2 * RANGES_MAX, &fresh), -ENOSPC);
	ck_assert_uint_eq(fresh, 0);
	ck_assert_uint_eq(ranges.numbers, RANGES_MAX);
	ck_assert_uint_eq(add(&ranges, 1, 1), 1); /* joins two */
	ck_assert_uint_eq(add(&ranges, 2 * RANGES_MAX, 2 * RANGES_MAX), 1);
	ranges__free(&ranges);
}
END_TEST

START_TEST(test_without_memory_nothing_is_added)
{
	struct ranges ranges = { 0 };
	uint64_t fresh;
	int err;

	fail_alloc__begin(1);
	err = ranges__add(&ranges, 1, 5, &fresh);
	if (fail_alloc__end()) {
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_uint_eq(fresh, 0);
		ck_assert_uint_eq(ranges.numbers, 0);
		ck_assert_uint_eq(add(&ranges, 1, 5), 5);
	}
	ranges__free(&ranges);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_ranges_that_touch_become_one);
	tcase_add_test(tests, test_only_new_numbers_are_fresh);
	tcase_add_test(tests, test_extreme_numbers);
	tcase_add_test(tests, test_random_ranges_equal_a_model);
	tcase_add_test(tests, test_too_many_ranges_are_refused);
	tcase_add_test(tests, test_without_memory_nothing_is_added);
}
