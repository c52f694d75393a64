// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_self_page.c: counters and times that are read from pages, which the tests make. */
#include <string.h>

#include "counters/self_page.h"
#include "unit/suite.h"

static struct perf_event_mmap_page page;
static uint64_t now, pmc;
static uint32_t asked;	 /* the counter that was read, plus 1 */
static unsigned changes; /* the page changes while the next clocks are read */
static struct reading reading;

static uint64_t cycles(void)
{
	if (changes) {
		changes--;
		page.lock += 2;
		page.time_enabled += 1000;
	}
	return now;
}

static uint64_t counter(uint32_t index)
{
	asked = index + 1;
	return pmc;
}

static const struct self_clock made_clock = { cycles, counter };

/* A cycle is half a nanosecond: 2 / 2^2. */
static void begin(void)
{
	page = (struct perf_event_mmap_page){ .lock = 2,
					      .index = 3,
					      .offset = 1000000,
					      .time_enabled = 5000,
					      .time_running = 4000,
					      .pmc_width = 48,
					      .time_shift = 2,
					      .time_mult = 2,
					      .time_offset = (uint64_t)-400 };
	page.cap_user_rdpmc = page.cap_user_time = 1;
	now = 1000; /* 500 ns, 100 since the kernel wrote the page */
	pmc = 123;
	asked = changes = 0;
	reading = (struct reading){ .lost = 7 };
}

static bool reads(void)
{
	return self_page__read(&page, &made_clock, &reading);
}

START_TEST(test_counter_that_runs)
{
	begin();
	ck_assert(reads());
	ck_assert_uint_eq(asked, 3);
	ck_assert_uint_eq(reading.value, 1000123);
	ck_assert_uint_eq(reading.enabled_ns, 5100);
	ck_assert_uint_eq(reading.running_ns, 4100);
	ck_assert_uint_eq(reading.lost, 7);
}
END_TEST

/* The kernel starts counters below zero, so that they overflow after a period. */
START_TEST(test_counters_have_a_sign)
{
	begin();
	pmc = (1ULL << 48) - 1000; /* -1000 */
	ck_assert(reads());
	ck_assert_uint_eq(reading.value, 999000);
	page.pmc_width = 64;
	pmc = (uint64_t)-5;
	ck_assert(reads());
	ck_assert_uint_eq(reading.value, 999995);
	page.pmc_width = 32;
	page.offset = -10;
	pmc = 0x17fffffff; /* bits above its width mean nothing */
	ck_assert(reads());
	ck_assert_uint_eq(reading.value, 0x7ffffff5);
}
END_TEST

/* It has no counter of the PMU now: its value stands still, and so does its running time. */
START_TEST(test_event_that_waits_for_the_pmu)
{
	begin();
	page.index = 0;
	ck_assert(reads());
	ck_assert_uint_eq(asked, 0);
	ck_assert_uint_eq(reading.value, 1000000);
	ck_assert_uint_eq(reading.enabled_ns, 5100);
	ck_assert_uint_eq(reading.running_ns, 4000);
}
END_TEST

START_TEST(test_pages_that_allow_nothing)
{
	begin();
	page.cap_user_rdpmc = 0;
	ck_assert(!reads());
	ck_assert(self_page__times(&page, &made_clock, &reading));
	ck_assert_uint_eq(reading.enabled_ns, 5100);
	begin();
	page.cap_user_time = 0;
	ck_assert(!reads());
	ck_assert(!self_page__times(&page, &made_clock, &reading));
	begin();
	page.pmc_width = 0;
	ck_assert(!reads());
	page.pmc_width = 65;
	ck_assert(!reads());
	begin();
	page.time_shift = 64;
	ck_assert(!reads());
	begin();
	ck_assert(!self_page__read(&page, &(const struct self_clock){ NULL, NULL }, &reading));
}
END_TEST

/* A counter of 40 bits that has wrapped since the page was written. */
START_TEST(test_short_clock)
{
	begin();
	page.cap_user_time_short = 1;
	page.time_mask = (1ULL << 40) - 1;
	page.time_cycles = (7ULL << 40) - 200;
	page.time_offset = (uint64_t) - (int64_t)(page.time_cycles / 2);
	now = 100; /* 300 cycles later */
	ck_assert(reads());
	ck_assert_uint_eq(reading.enabled_ns, 5150);
}
END_TEST

/* 64 bits are not enough for cycles * mult, but for its parts. */
START_TEST(test_long_uptime)
{
	begin();
	page.time_shift = 31;
	page.time_mult = 1u << 30;
	page.time_offset = 0;
	now = 1ULL << 62;
	ck_assert(reads());
	ck_assert_uint_eq(reading.enabled_ns, (1ULL << 61) + 5000);
}
END_TEST

START_TEST(test_page_that_changes)
{
	begin();
	changes = 3;
	ck_assert(reads());
	ck_assert_uint_eq(reading.enabled_ns, 8100);
	ck_assert_uint_eq(changes, 0);
	changes = 1000000;
	ck_assert(!reads());
	ck_assert_uint_gt(changes, 900000);
	begin();
	page.lock = 3; /* the kernel never ends */
	ck_assert(!reads());
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_counter_that_runs);
	tcase_add_test(tests, test_counters_have_a_sign);
	tcase_add_test(tests, test_event_that_waits_for_the_pmu);
	tcase_add_test(tests, test_pages_that_allow_nothing);
	tcase_add_test(tests, test_short_clock);
	tcase_add_test(tests, test_long_uptime);
	tcase_add_test(tests, test_page_that_changes);
}
