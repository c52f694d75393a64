// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_descendants.c: the processes that a command starts. */
#include "cli/profile/descendants.h"
#include "unit/suite.h"

static struct descendants set;

static void teardown(void)
{
	descendants__free(&set);
}

static void fork_of(uint32_t parent, uint32_t child)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_FORK,
		.task = { .pid = child, .ppid = parent, .tid = child, .ptid = parent },
	};
	const struct peat_event event = { .kind = PEAT_EVENT_RECORD, .record = &record };

	ck_assert_int_eq(descendants__follow(&set, &event), 0);
}

START_TEST(test_children_of_children)
{
	ck_assert_int_eq(descendants__add(&set, 100), 0);
	fork_of(100, 200);
	fork_of(200, 4000000);
	fork_of(4000000, 1);
	ck_assert(descendants__has(&set, 100));
	ck_assert(descendants__has(&set, 200));
	ck_assert(descendants__has(&set, 4000000));
	ck_assert(descendants__has(&set, 1));
	ck_assert(!descendants__has(&set, 101));
	ck_assert(!descendants__has(&set, UINT32_MAX));
}
END_TEST

START_TEST(test_other_processes)
{
	ck_assert_int_eq(descendants__add(&set, 100), 0);
	fork_of(99, 101);
	fork_of(101, 102);
	ck_assert(!descendants__has(&set, 101));
	ck_assert(!descendants__has(&set, 102));
}
END_TEST

/* A thread belongs to its process. */
START_TEST(test_threads_belong_to_process)
{
	ck_assert_int_eq(descendants__add(&set, 100), 0);
	fork_of(100, 100);
	ck_assert(descendants__has(&set, 100));
}
END_TEST

START_TEST(test_id_is_given_to_another_process)
{
	ck_assert_int_eq(descendants__add(&set, 100), 0);
	fork_of(100, 200);
	fork_of(7, 200);
	ck_assert(!descendants__has(&set, 200));
	fork_of(200, 300);
	ck_assert(!descendants__has(&set, 300));
}
END_TEST

START_TEST(test_other_events)
{
	const struct peat_record exit_record = {
		.type = PEAT_RECORD_EXIT,
		.task = { .pid = 200, .ppid = 100, .tid = 200, .ptid = 100 },
	};
	const struct peat_event exit_event = { .kind = PEAT_EVENT_RECORD, .record = &exit_record };
	const struct peat_event data = { .kind = PEAT_EVENT_DATA, .pid = 200 };

	ck_assert_int_eq(descendants__add(&set, 100), 0);
	ck_assert_int_eq(descendants__follow(&set, &exit_event), 0);
	ck_assert_int_eq(descendants__follow(&set, &data), 0);
	ck_assert(!descendants__has(&set, 200));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_children_of_children);
	tcase_add_test(tests, test_other_processes);
	tcase_add_test(tests, test_threads_belong_to_process);
	tcase_add_test(tests, test_id_is_given_to_another_process);
	tcase_add_test(tests, test_other_events);
}
