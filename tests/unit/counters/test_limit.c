// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_limit.c: EVENT>N: its text, and its sum over several events and readings. */
#include <errno.h>

#include <peat/counters.h>

#include "unit/suite.h"

START_TEST(test_limits_are_parsed)
{
	static const struct {
		const char *text;
		size_t bytes;
		uint64_t over;
	} limits[] = {
		{ "page-faults>1000", 11, 1000 },
		{ "page-faults > 0", 11, 0 },
		{ "sched:sched_switch>9223372036854775806", 18, INT64_MAX - 1 },
		{ "cpu/config=1/>5", 13, 5 },
	};
	size_t bytes;
	uint64_t over;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		ck_assert_int_eq(peat_counters__parse_limit(limits[i].text, &bytes, &over), 1);
		ck_assert_uint_eq(bytes, limits[i].bytes);
		ck_assert_uint_eq(over, limits[i].over);
	}
}
END_TEST

START_TEST(test_sources_are_no_limits)
{
	static const char *const sources[] = {
		"exec", "@comm", "kprobe:vfs_read(file->f_inode)", "kprobe:f>5", "uprobe:x->y",
		"",	"a->5"
	};
	size_t bytes;
	uint64_t over;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		ck_assert_int_eq(peat_counters__parse_limit(sources[i], &bytes, &over), 0);
}
END_TEST

START_TEST(test_wrong_limits)
{
	static const char *const wrong[] = { ">5",
					     " >5",
					     "faults>",
					     "faults>x",
					     "f>-1",
					     "f>1x",
					     "f>0x10",
					     "f>9223372036854775807",
					     "f>99999999999999999999999" };
	size_t bytes;
	uint64_t over;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_int_eq(peat_counters__parse_limit(wrong[i], &bytes, &over), -EINVAL);
}
END_TEST

START_TEST(test_period_is_a_part)
{
	ck_assert_uint_eq(peat_counters__limit_period(0), 1);
	ck_assert_uint_ge(peat_counters__limit_period(1000), 1);
	ck_assert_uint_le(peat_counters__limit_period(1000), 501);
	ck_assert_uint_le(peat_counters__limit_period(INT64_MAX - 1), INT64_MAX);
}
END_TEST

#define PAGE 4096

static void fault(size_t pages)
{
	static unsigned char memory[256 * PAGE] __attribute__((aligned(PAGE)));
	static size_t next;

	for (size_t i = 0; i < pages; i++, next++)
		((volatile unsigned char *)memory)[next * PAGE] = 1;
}

/* Each new page of memory is a fault of user space, which needs no privilege.  Others are few. */
START_TEST(test_events_left_over_count_later)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = "minor-faults:u,page-faults:u" };
	struct peat_counters *counters = peat_counters__new(&opts);
	uint64_t rest = 0, over = 99;
	int64_t times;

	if (!counters)
		skip("perf events of user space may not be opened here");
	ck_assert_int_eq(peat_counters__enable(counters), 0);
	ck_assert_int_eq(peat_counters__exceeded(counters, 1000000, &rest), 0);
	ck_assert_uint_eq(rest, 0);
	peat_counters__reset(counters);
	fault(80); /* both events count: 160 and a few */
	times = peat_counters__exceeded(counters, over, &rest);
	ck_assert_int_eq(times, 1);
	ck_assert_uint_ge(rest, 60);
	ck_assert_uint_lt(rest, 100);
	fault(30); /* 60 more */
	ck_assert_int_eq(peat_counters__exceeded(counters, over, &rest), 1);
	ck_assert_uint_lt(rest, 80);
	peat_counters__free(counters);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_limits_are_parsed);
	tcase_add_test(tests, test_sources_are_no_limits);
	tcase_add_test(tests, test_wrong_limits);
	tcase_add_test(tests, test_period_is_a_part);
	tcase_add_test(tests, test_events_left_over_count_later);
}
