// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_namer_end.c: the time at which waits for files end. */
#include "base/monotonic.h"
#include "symbols/namer/namer_end.h"
#include "unit/suite.h"

#define MS_NS UINT64_C(1000000)

static struct namer_end end;

static void check(bool is_of_root, uint64_t begin_ns, uint64_t ms)
{
	uint64_t end_ns = namer_end__of(&end, is_of_root);

	ck_assert_uint_ge(end_ns, begin_ns + ms * MS_NS);
	ck_assert_uint_le(end_ns, monotonic_ns() + ms * MS_NS);
}

START_TEST(test_no_request_never_ends)
{
	namer_end__init(&end);
	ck_assert_uint_eq(namer_end__of(&end, false), UINT64_MAX);
	ck_assert_uint_eq(namer_end__of(&end, true), UINT64_MAX);
}
END_TEST

/* The time is counted from the first question after the request, and stays. */
START_TEST(test_times_begin_with_first_question)
{
	uint64_t begin_ns, others_ns;

	namer_end__init(&end);
	namer_end__set(&end, 500);
	begin_ns = monotonic_ns();
	check(false, begin_ns, 500);
	check(true, begin_ns, 10000);
	others_ns = namer_end__of(&end, false);
	ck_assert_uint_eq(namer_end__of(&end, false), others_ns);
	namer_end__set(&end, 500);
	ck_assert_uint_gt(namer_end__of(&end, false), others_ns);
}
END_TEST

START_TEST(test_request_ends_now)
{
	namer_end__init(&end);
	namer_end__set(&end, 500);
	namer_end__set(&end, 0);
	check(true, 0, 0);
	check(false, 0, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_no_request_never_ends);
	tcase_add_test(tests, test_times_begin_with_first_question);
	tcase_add_test(tests, test_request_ends_now);
}
