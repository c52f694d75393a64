// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_count_delta.c: differences of two readings of a counter, as programs compute them. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <peat/counter.bpf.h>

#include "support/machine/harness.h"
#include "unit/suite.h"

#define SECOND 1000000000ull
#define DAY    (86400 * SECOND)

static __u64 delta(__u64 value, __u64 enabled_ns, __u64 running_ns)
{
	const struct peat_count from = { 12345, 5 * SECOND, 3 * SECOND };
	const struct peat_count to = { from.value + value, from.enabled_ns + enabled_ns,
				       from.running_ns + running_ns };

	return peat_count_delta(&from, &to);
}

START_TEST(test_counted_all_the_time)
{
	ck_assert_uint_eq(delta(0, 0, 0), 0);
	ck_assert_uint_eq(delta(0, 1000, 1000), 0);
	ck_assert_uint_eq(delta(777, 1000, 1000), 777);
	ck_assert_uint_eq(delta(1ull << 60, DAY, DAY), 1ull << 60);
	/* The times are read one after the other. */
	ck_assert_uint_eq(delta(777, 1000, 1001), 777);
}
END_TEST

/* The error is less than a thousandth. */
static void check_estimate(__u64 value, __u64 enabled_ns, __u64 running_ns)
{
	__u64 found = delta(value, enabled_ns, running_ns);
	double wanted = (double)value * (double)enabled_ns / (double)running_ns;

	ck_assert_double_ge((double)found, wanted * 0.999 - 1);
	ck_assert_double_le((double)found, wanted * 1.001 + 1);
}

START_TEST(test_counted_part_of_the_time)
{
	ck_assert_uint_eq(delta(100, 1000, 500), 200);
	ck_assert_uint_eq(delta(5000, 4 * SECOND, SECOND), 20000);
	check_estimate(1, 3 * SECOND, SECOND);
	check_estimate(999, 1000003, 333334);
	check_estimate(123456789012345, 100 * SECOND, 7 * SECOND);
	check_estimate(4 * DAY, DAY, DAY / 6);
	check_estimate(1ull << 58, 200 * DAY, 150 * DAY);
}
END_TEST

START_TEST(test_not_counted)
{
	ck_assert_uint_eq(delta(0, SECOND, 0), 0);
	ck_assert_uint_eq(delta(5, SECOND, 0), 0);
}
END_TEST

/* Opened again: everything begins at 0. */
START_TEST(test_opened_again)
{
	const struct peat_count old = { 1000, 5 * SECOND, 5 * SECOND };
	const struct peat_count younger = { 2000, SECOND, SECOND };
	const struct peat_count less = { 10, 6 * SECOND, 6 * SECOND };

	ck_assert_uint_eq(peat_count_delta(&old, &younger), 0);
	ck_assert_uint_eq(peat_count_delta(&old, &less), 0);
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_counted_all_the_time);
	tcase_add_test(tests, test_counted_part_of_the_time);
	tcase_add_test(tests, test_not_counted);
	tcase_add_test(tests, test_opened_again);
}
