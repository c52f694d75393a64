// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_spread.c: mean and deviation of numbers. */
#include <math.h>

#include "cli/stat/spread.h"
#include "unit/suite.h"

static struct spread spread_of(const double *numbers, size_t count)
{
	struct spread spread = { 0 };

	for (size_t i = 0; i < count; i++)
		spread__add(&spread, numbers[i]);
	return spread;
}

#define SPREAD(...)                                                                                \
	spread_of((const double[]){ __VA_ARGS__ },                                                 \
		  sizeof((double[]){ __VA_ARGS__ }) / sizeof(double))

START_TEST(test_mean_and_deviation)
{
	const struct spread spread = SPREAD(2, 4, 4, 4, 5, 5, 7, 9);

	ck_assert_uint_eq(spread.count, 8);
	ck_assert_double_eq_tol(spread.mean, 5, 1e-12);
	/* The squares of the differences are 32 together. */
	ck_assert_double_eq_tol(spread__deviation(&spread), sqrt(32. / 7 / 8), 1e-12);
	ck_assert_double_eq_tol(spread__percent(&spread), 20 * sqrt(32. / 7 / 8), 1e-12);
}
END_TEST

START_TEST(test_equal_numbers_have_no_deviation)
{
	const struct spread spread = SPREAD(7.5, 7.5, 7.5);

	ck_assert_double_eq(spread.mean, 7.5);
	ck_assert_double_eq(spread__deviation(&spread), 0);
	ck_assert_double_eq(spread__percent(&spread), 0);
}
END_TEST

START_TEST(test_fewer_than_two_numbers)
{
	const struct spread none = { 0 }, one = SPREAD(3);

	ck_assert_double_eq(spread__deviation(&none), 0);
	ck_assert_double_eq(spread__percent(&none), 0);
	ck_assert_double_eq(one.mean, 3);
	ck_assert_double_eq(spread__deviation(&one), 0);
}
END_TEST

/* A percentage of nothing would be infinite; that of a negative mean is positive. */
START_TEST(test_signs_of_means)
{
	const struct spread zero = SPREAD(-1, 1), negative = SPREAD(-3, -1);

	ck_assert_double_eq(spread__percent(&zero), 0);
	ck_assert_double_eq_tol(spread__deviation(&zero), 1, 1e-12);
	ck_assert_double_eq_tol(spread__percent(&negative), 50, 1e-12);
}
END_TEST

/* Sums of squares would have lost these differences. */
START_TEST(test_large_numbers_keep_their_digits)
{
	const struct spread spread = SPREAD(1e15 + 1, 1e15 + 2, 1e15 + 3);

	ck_assert_double_eq_tol(spread.mean, 1e15 + 2, 1e-3);
	ck_assert_double_eq_tol(spread__deviation(&spread), sqrt(1. / 3), 1e-6);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_mean_and_deviation);
	tcase_add_test(tests, test_equal_numbers_have_no_deviation);
	tcase_add_test(tests, test_fewer_than_two_numbers);
	tcase_add_test(tests, test_signs_of_means);
	tcase_add_test(tests, test_large_numbers_keep_their_digits);
}
