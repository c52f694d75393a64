// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_nesting.c: slices of a lane nest, also of one that has joined spans. */
#include <stdlib.h>

#include "perfetto/nesting.h"
#include "unit/suite.h"

#define SLICES 20000

static struct nesting lane;

/* Sanitized tests share a process. */
static void setup(void)
{
	lane = (struct nesting){ 0 };
}

START_TEST(test_slices_side_by_side_join)
{
	ck_assert(nesting__add(&lane, 10, 20));
	ck_assert(nesting__add(&lane, 20, 30));
	ck_assert(nesting__add(&lane, 31, 32));
	ck_assert_uint_eq(lane.count, 3);
}
END_TEST

START_TEST(test_containing_slices_join)
{
	ck_assert(nesting__add(&lane, 10, 20));
	ck_assert(nesting__add(&lane, 22, 30));
	ck_assert(nesting__add(&lane, 9, 30)); /* ends with the last one */
	ck_assert(nesting__add(&lane, 1, 40));
	ck_assert_uint_eq(lane.count, 1);
	ck_assert(nesting__add(&lane, 40, 50));
}
END_TEST

START_TEST(test_other_slices_are_refused)
{
	ck_assert(nesting__add(&lane, 10, 20));
	ck_assert(nesting__add(&lane, 30, 40));
	ck_assert(!nesting__add(&lane, 15, 50));
	ck_assert(!nesting__add(&lane, 35, 50));
	ck_assert(!nesting__add(&lane, 10, 50)); /* the order of equal begins would be wrong */
	ck_assert(!nesting__add(&lane, 30, 40));
	ck_assert(!nesting__add(&lane, 1, 35)); /* late */
	ck_assert(!nesting__add(&lane, 1, 2));
	ck_assert_uint_eq(lane.count, 2);
	ck_assert(nesting__add(&lane, 9, 41));
}
END_TEST

START_TEST(test_nearest_spans_are_joined)
{
	for (uint64_t i = 0; i < NESTING_SPANS; i++)
		ck_assert(nesting__add(&lane, i * 100, i * 100 + 10 + i));
	ck_assert_uint_eq(lane.count, NESTING_SPANS);
	ck_assert(nesting__add(&lane, 10000, 10001));
	ck_assert_uint_eq(lane.count, NESTING_SPANS);
	/* The last two had the smallest gap. */
	ck_assert(!nesting__add(&lane, NESTING_SPANS * 100 - 150, 10002));
	ck_assert(nesting__add(&lane, NESTING_SPANS * 100 - 250, 10002));
}
END_TEST

static bool overlap(const struct nesting_span *a, const struct nesting_span *b)
{
	return a->begin < b->begin && b->begin < a->end && a->end < b->end;
}

/* Any two slices that joined are apart, or one contains the other and begins before it. */
START_TEST(test_random_slices_nest)
{
	static struct nesting_span joined[SLICES];
	uint32_t count = 0;
	uint64_t end = 1000;

	srand(_i + 1);
	for (uint32_t i = 0; i < SLICES / 10; i++) {
		uint64_t begin;

		end += (uint64_t)rand() % 8;
		begin = end - (uint64_t)rand() % (i % 50 ? 20 : 500);
		if (begin < end && nesting__add(&lane, begin, end))
			joined[count++] = (struct nesting_span){ begin, end };
	}
	ck_assert_uint_gt(count, SLICES / 100);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = i + 1; k < count; k++) {
			ck_assert(!overlap(&joined[i], &joined[k]));
			ck_assert(!overlap(&joined[k], &joined[i]));
			ck_assert(joined[i].begin != joined[k].begin);
		}
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_slices_side_by_side_join);
	tcase_add_test(tests, test_containing_slices_join);
	tcase_add_test(tests, test_other_slices_are_refused);
	tcase_add_test(tests, test_nearest_spans_are_joined);
	tcase_add_loop_test(tests, test_random_slices_nest, 0, 8);
}
