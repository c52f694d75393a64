// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rate.c: messages a second. */
#include "journal/rate.h"
#include "unit/suite.h"

#define MS UINT64_C(1000000)

START_TEST(test_limit_of_a_second)
{
	struct rate rate = { .most = 2 };

	ck_assert_uint_eq(rate__report_at(&rate), UINT64_MAX);
	ck_assert(rate__take(&rate, 5000 * MS));
	ck_assert(rate__take(&rate, 5100 * MS));
	ck_assert_uint_eq(rate__report_at(&rate), UINT64_MAX);
	ck_assert(!rate__take(&rate, 5999 * MS));
	ck_assert_uint_eq(rate.left_out, 1);
	ck_assert_uint_eq(rate__report_at(&rate), 6000 * MS);
	ck_assert(rate__take(&rate, 6000 * MS));
	ck_assert_uint_eq(rate.left_out, 1);
}
END_TEST

START_TEST(test_messages_not_sent)
{
	struct rate rate = { .most = 1 };

	ck_assert(rate__take(&rate, 1));
	rate__give_back(&rate);
	ck_assert(rate__take(&rate, 2));
	ck_assert(!rate__take(&rate, 3));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_limit_of_a_second);
	tcase_add_test(tests, test_messages_not_sent);
}
