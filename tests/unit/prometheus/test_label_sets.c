// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_label_sets.c: the limit of label sets. */
#include "prometheus/label_sets.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_limit_of_sets)
{
	struct label_sets sets = { .most = 2, .most_bytes = 1000 };

	ck_assert(label_sets__admit(&sets, 1, 10));
	ck_assert(label_sets__admit(&sets, 2, 10));
	ck_assert(!label_sets__admit(&sets, 3, 10));
	ck_assert(label_sets__admit(&sets, 1, 10));
	ck_assert_uint_eq(sets.bytes, 20);
	label_sets__free(&sets);
}
END_TEST

START_TEST(test_limit_of_bytes)
{
	struct label_sets sets = { .most = 10, .most_bytes = 30 };

	ck_assert(label_sets__admit(&sets, 1, 20));
	ck_assert(!label_sets__admit(&sets, 2, 11));
	ck_assert(label_sets__admit(&sets, 3, 10));
	ck_assert(!label_sets__admit(&sets, 2, 1));
	ck_assert(label_sets__admit(&sets, 1, 20));
	label_sets__free(&sets);
}
END_TEST

START_TEST(test_without_memory)
{
	struct label_sets sets = { .most = 10, .most_bytes = 30 };
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		bool is_admitted = label_sets__admit(&sets, 1, 20);
		if (!fail_alloc__end())
			break;
		ck_assert(!is_admitted);
		ck_assert_uint_eq(sets.bytes, 0);
	}
	label_sets__free(&sets);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_limit_of_sets);
	tcase_add_test(tests, test_limit_of_bytes);
	tcase_add_test(tests, test_without_memory);
}
