// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_backoff.c: how long a server is left alone. */
#include "output/backoff.h"
#include "unit/suite.h"

#define MS 1000000ULL

static uint64_t longest(struct backoff *backoff)
{
	const uint64_t now = backoff->until_ns;

	backoff__fail(backoff, now, 0, 0);
	return (backoff->until_ns - now) / MS;
}

START_TEST(test_time_doubles)
{
	struct backoff backoff = { 0 };

	ck_assert(backoff__is_over(&backoff, 0));
	for (uint64_t ms = 500; ms < 30000; ms *= 2)
		ck_assert_uint_eq(longest(&backoff), ms);
	for (unsigned i = 0; i < 100; i++)
		ck_assert_uint_eq(longest(&backoff), 30000);
	ck_assert(!backoff__is_over(&backoff, backoff.until_ns - 1));
	backoff__succeed(&backoff);
	ck_assert(backoff__is_over(&backoff, 0));
	ck_assert_uint_eq(longest(&backoff), 500);
}
END_TEST

START_TEST(test_longest_time_of_the_caller)
{
	struct backoff backoff = { .longest_ns = 3000 * MS };

	for (unsigned i = 0; i < 2; i++) {
		ck_assert_uint_eq(longest(&backoff), 500);
		ck_assert_uint_eq(longest(&backoff), 1000);
		ck_assert_uint_eq(longest(&backoff), 2000);
		ck_assert_uint_eq(longest(&backoff), 3000);
		ck_assert_uint_eq(longest(&backoff), 3000);
		backoff__succeed(&backoff);
	}
}
END_TEST

START_TEST(test_random_part)
{
	for (uint64_t random = 1; random; random *= 3) {
		struct backoff backoff = { 0 };

		backoff__fail(&backoff, 1000 * MS, 0, random);
		ck_assert_uint_gt(backoff.until_ns, 1250 * MS);
		ck_assert_uint_le(backoff.until_ns, 1500 * MS);
		if (random > UINT64_MAX / 3)
			break;
	}
}
END_TEST

/* Requests that were under way together. */
START_TEST(test_failures_count_once)
{
	struct backoff backoff = { 0 };

	backoff__fail(&backoff, 0, 0, 0);
	backoff__fail(&backoff, 1, 0, 0);
	backoff__fail(&backoff, 2, 0, 0);
	ck_assert_uint_eq(backoff.failures, 1);
	ck_assert_uint_eq(backoff.until_ns, 500 * MS);
}
END_TEST

START_TEST(test_retry_after)
{
	struct backoff backoff = { 0 };

	backoff__fail(&backoff, 0, 2, 0);
	ck_assert_uint_eq(backoff.until_ns, 2000 * MS);
	backoff__fail(&backoff, 0, 1, 0); /* the longer one holds */
	ck_assert_uint_eq(backoff.until_ns, 2000 * MS);
	backoff__fail(&backoff, 0, UINT64_MAX, 0);
	ck_assert_uint_eq(backoff.until_ns, 300000 * MS);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_time_doubles);
	tcase_add_test(tests, test_longest_time_of_the_caller);
	tcase_add_test(tests, test_random_part);
	tcase_add_test(tests, test_failures_count_once);
	tcase_add_test(tests, test_retry_after);
}
