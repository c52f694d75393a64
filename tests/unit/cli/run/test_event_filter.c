// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_filter.c: filters of the command by task and time. */
#include "cli/run/event_filter.h"
#include "unit/suite.h"

static struct peat_event a_task(uint32_t pid, uint32_t tid, const char *comm)
{
	return (struct peat_event){ .pid = pid, .tid = tid, .comm = comm };
}

START_TEST(test_filters_by_ids)
{
	struct peat_event idle = a_task(0, 0, "swapper/1"), init = a_task(1, 1, "init"),
			  none = a_task(PEAT_NO_TASK, PEAT_NO_TASK, NULL);
	struct options options = { .filter = { .by_pid = true } };

	ck_assert(event_filter__wants_task(&options, &idle));
	ck_assert(!event_filter__wants_task(&options, &init));
	ck_assert(!event_filter__wants_task(&options, &none));
	options = (struct options){ .filter = { .by_tid = true, .tid = 1 } };
	ck_assert(!event_filter__wants_task(&options, &idle));
	ck_assert(event_filter__wants_task(&options, &init));
	options.filter.by_tid = false;
	ck_assert(event_filter__wants_task(&options, &idle));
}
END_TEST

START_TEST(test_filters_by_names)
{
	struct peat_event idle = a_task(0, 0, "swapper/1"), swapper = a_task(7, 7, "swapper"),
			  other = a_task(8, 8, "swapper/1"), none = a_task(9, 9, NULL);
	struct options options = { .filter = { .comm = "swapper" } };

	ck_assert(event_filter__wants_task(&options, &idle));
	ck_assert(event_filter__wants_task(&options, &swapper));
	ck_assert(!event_filter__wants_task(&options, &other));
	ck_assert(!event_filter__wants_task(&options, &none));
	options.filter.comm = "swapper/1";
	ck_assert(event_filter__wants_task(&options, &idle));
	ck_assert(event_filter__wants_task(&options, &other));
	ck_assert(!event_filter__wants_task(&options, &swapper));
}
END_TEST

static bool wants_time(const struct options *options, uint64_t time_ns)
{
	struct peat_event event = { .time_ns = time_ns };

	return event_filter__wants_time(options, &event);
}

/* Both ends belong to the span. */
START_TEST(test_filters_by_times)
{
	struct options options = { .filter = { .by_time = true, .from_ns = 10, .to_ns = 20 } };

	ck_assert(!wants_time(&options, 9) && wants_time(&options, 10));
	ck_assert(wants_time(&options, 20) && !wants_time(&options, 21));
	options.filter.from_ns = 0;
	ck_assert(!wants_time(&options, 0) && wants_time(&options, 1));
	options.filter.by_time = false;
	ck_assert(wants_time(&options, 0) && wants_time(&options, 21));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_filters_by_ids);
	tcase_add_test(tests, test_filters_by_names);
	tcase_add_test(tests, test_filters_by_times);
}
