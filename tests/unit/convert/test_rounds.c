// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rounds.c: the promise of FINISHED_ROUND records, on times of many orders. */
#include <stdlib.h>

#include "convert/rounds.h"
#include "unit/suite.h"

#define RECORDS (10 * ROUNDS_CHUNK_RECORDS + 17)

static uint64_t times[RECORDS];
static bool is_round[RECORDS];

/* Chooses the places; how many there are. */
static uint32_t choose(void)
{
	struct rounds rounds = { 0 };
	uint32_t found = 0;

	for (size_t i = 0; i < RECORDS; i++)
		ck_assert_int_eq(rounds__add(&rounds, times[i]), 0);
	rounds__choose(&rounds);
	for (size_t i = 0; i < RECORDS; i++)
		found += is_round[i] = rounds__next(&rounds);
	rounds__free(&rounds);
	return found;
}

/* No record after the next FINISHED_ROUND is older than any before this one. */
static void check_promise(void)
{
	uint64_t newest = 0, newest_before = 0; /* until here; before the last one */

	for (size_t i = 0; i < RECORDS; i++) {
		if (is_round[i]) {
			for (size_t at = i; at < RECORDS; at++)
				ck_assert_uint_ge(times[at], newest_before);
			newest_before = newest;
		}
		newest = times[i] > newest ? times[i] : newest;
	}
}

START_TEST(test_sorted_times_need_few_rounds)
{
	for (size_t i = 0; i < RECORDS; i++)
		times[i] = 1000 + i;
	ck_assert_uint_ge(choose(), 9);
	check_promise();
}
END_TEST

START_TEST(test_backward_times_keep_promise)
{
	for (size_t i = 0; i < RECORDS; i++)
		times[i] = 1000 + RECORDS - i;
	choose();
	check_promise();
}
END_TEST

START_TEST(test_nearly_sorted)
{
	uint32_t found = 0;

	srandom(1);
	for (size_t spread = 1; spread <= 4 * ROUNDS_CHUNK_RECORDS; spread *= 4) {
		for (size_t i = 0; i < RECORDS; i++)
			times[i] = 100000 + i + (uint64_t)random() % spread;
		found += choose();
		check_promise();
	}
	ck_assert_uint_gt(found, 20);
}
END_TEST

START_TEST(test_one_late_record)
{
	for (size_t i = 0; i < RECORDS; i++)
		times[i] = 1000 + i;
	times[RECORDS - 1] = 999;
	choose();
	check_promise();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_sorted_times_need_few_rounds);
	tcase_add_test(tests, test_backward_times_keep_promise);
	tcase_add_test(tests, test_nearly_sorted);
	tcase_add_test(tests, test_one_late_record);
}
