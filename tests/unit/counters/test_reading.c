// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reading.c: bytes of read(2), and values of counters that ran for a part of the time. */
#include <errno.h>
#include <linux/perf_event.h>

#include "counters/reading.h"
#include "unit/suite.h"

#define TIMES                                                                                      \
	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | (uint64_t)PERF_FORMAT_ID)
#define GROUP (TIMES | PERF_FORMAT_GROUP)

static void check(const struct reading_member *member, uint64_t id, uint64_t value,
		  uint64_t enabled_ns, uint64_t running_ns, uint64_t lost)
{
	ck_assert_uint_eq(member->id, id);
	ck_assert_uint_eq(member->reading.value, value);
	ck_assert_uint_eq(member->reading.enabled_ns, enabled_ns);
	ck_assert_uint_eq(member->reading.running_ns, running_ns);
	ck_assert_uint_eq(member->reading.lost, lost);
}

START_TEST(test_parses_single_counter)
{
	const uint64_t words[] = { 7, 100, 50, 21, 3 };
	struct reading_member member;

	ck_assert_int_eq(reading__parse(words, 32, TIMES, &member, 1), 1);
	check(&member, 21, 7, 100, 50, 0);
	ck_assert_int_eq(reading__parse(words, 40, TIMES | READING_LOST, &member, 1), 1);
	check(&member, 21, 7, 100, 50, 3);
	ck_assert_int_eq(reading__parse(words, 32, TIMES | READING_LOST, &member, 1), -EBADMSG);
	ck_assert_int_eq(reading__parse(words, 31, TIMES, &member, 1), -EBADMSG);
	ck_assert_int_eq(reading__parse(words, 40, TIMES, &member, 0), -EBADMSG);
}
END_TEST

START_TEST(test_parses_group)
{
	const uint64_t words[] = { 2, 100, 50, 7, 21, 8, 22 };
	const uint64_t with_lost[] = { 2, 100, 50, 7, 21, 1, 8, 22, 4 };
	struct reading_member members[2];

	ck_assert_int_eq(reading__parse(words, sizeof(words), GROUP, members, 2), 2);
	check(&members[0], 21, 7, 100, 50, 0);
	check(&members[1], 22, 8, 100, 50, 0);
	ck_assert_int_eq(
		reading__parse(with_lost, sizeof(with_lost), GROUP | READING_LOST, members, 2), 2);
	check(&members[0], 21, 7, 100, 50, 1);
	check(&members[1], 22, 8, 100, 50, 4);
}
END_TEST

/* Lengths that the kernel does not return. */
START_TEST(test_invalid_groups)
{
	uint64_t words[] = { 2, 100, 50, 7, 21, 8, 22 };
	struct reading_member members[2];

	ck_assert_int_eq(reading__parse(words, sizeof(words) - 1, GROUP, members, 2), -EBADMSG);
	ck_assert_int_eq(reading__parse(words, sizeof(words), GROUP, members, 1), -EBADMSG);
	ck_assert_int_eq(reading__parse(words, 16, GROUP, members, 2), -EBADMSG);
	words[0] = UINT64_MAX;
	ck_assert_int_eq(reading__parse(words, sizeof(words), GROUP, members, 2), -EBADMSG);
	words[0] = 0;
	ck_assert_int_eq(reading__parse(words, sizeof(words), GROUP, members, 2), 0);
}
END_TEST

START_TEST(test_bytes_of_a_reading)
{
	ck_assert_uint_eq(reading__bytes(TIMES, 5), 4 * 8);
	ck_assert_uint_eq(reading__bytes(TIMES | READING_LOST, 5), 5 * 8);
	ck_assert_uint_eq(reading__bytes(GROUP, 5), (3 + 5 * 2) * 8);
	ck_assert_uint_eq(reading__bytes(GROUP | READING_LOST, 5), (3 + 5 * 3) * 8);
}
END_TEST

static uint64_t scaled(uint64_t value, uint64_t enabled_ns, uint64_t running_ns)
{
	const struct reading reading = { value, enabled_ns, running_ns, 0 };

	return reading__scaled(&reading);
}

START_TEST(test_scales_by_time_running)
{
	ck_assert_uint_eq(scaled(1000, 100, 100), 1000);
	ck_assert_uint_eq(scaled(1000, 100, 50), 2000);
	ck_assert_uint_eq(scaled(1000, 300, 100), 3000);
	ck_assert_uint_eq(scaled(1000, 100, 0), 0);
	ck_assert_uint_eq(scaled(0, 0, 0), 0);
	/* The two clocks of the kernel may differ by a moment. */
	ck_assert_uint_eq(scaled(1000, 100, 101), 1000);
	/* To the nearest number. */
	ck_assert_uint_eq(scaled(10, 100, 30), 33);
	ck_assert_uint_eq(scaled(5, 100, 30), 17);
	/* Neither the product nor a double is large enough for these. */
	ck_assert_uint_eq(scaled(9007199254740993, 3000000000000, 3000000000000 - 1),
			  9007199254743995);
	ck_assert_uint_eq(scaled(UINT64_MAX / 2, 3600000000000, 1800000000000), UINT64_MAX - 1);
	ck_assert_uint_eq(scaled(UINT64_MAX / 2, 3600000000000, 1), UINT64_MAX);
}
END_TEST

START_TEST(test_sums_and_differences)
{
	struct reading sum = { 10, 20, 15, 1 };
	const struct reading more = { 1, 2, 3, 4 };
	struct reading since;

	reading__add(&sum, &more);
	ck_assert_uint_eq(sum.value, 11);
	ck_assert_uint_eq(sum.enabled_ns, 22);
	ck_assert_uint_eq(sum.running_ns, 18);
	ck_assert_uint_eq(sum.lost, 5);
	since = reading__since(&sum, &more);
	ck_assert_uint_eq(since.value, 10);
	ck_assert_uint_eq(since.enabled_ns, 20);
	ck_assert_uint_eq(since.running_ns, 15);
	ck_assert_uint_eq(since.lost, 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_single_counter);
	tcase_add_test(tests, test_parses_group);
	tcase_add_test(tests, test_invalid_groups);
	tcase_add_test(tests, test_bytes_of_a_reading);
	tcase_add_test(tests, test_scales_by_time_running);
	tcase_add_test(tests, test_sums_and_differences);
}
