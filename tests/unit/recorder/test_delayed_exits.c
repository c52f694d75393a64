// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_delayed_exits.c: EXITs wait for two flushes, or until their thread id is reused. */
#include "support/machine/harness.h"
#include "recorder/delayed_exits.h"
#include "unit/suite.h"

static struct delayed_exits held;

static bool hold(uint32_t tid)
{
	const struct peat_record record = { .type = PEAT_RECORD_EXIT,
					    .misc = PEAT_MISC_USER,
					    .time_ns = 5,
					    .pid = 1,
					    .tid = 2,
					    .cpu = 3,
					    .task = { tid, 11, tid, 12, 1000 + tid } };

	return delayed_exits__add(&held, &record);
}

static void check_taken(bool taken, const struct peat_record *record, uint32_t tid)
{
	ck_assert(taken);
	ck_assert_uint_eq(record->type, PEAT_RECORD_EXIT);
	ck_assert_uint_eq(record->misc, PEAT_MISC_USER);
	ck_assert(record->pid == 1 && record->tid == 2 && record->cpu == 3);
	ck_assert(record->task.tid == tid && record->task.ptid == 12 && record->task.ppid == 11);
	ck_assert_uint_eq(record->task.time_ns, 1000 + tid);
}

START_TEST(test_popped_after_two_flushes)
{
	struct peat_record record = { .sz = sizeof(record) };

	ck_assert(!delayed_exits__pop(&held, &record));
	ck_assert(hold(1) && hold(2));
	ck_assert(!delayed_exits__pop_old(&held, &record));
	delayed_exits__age(&held);
	ck_assert(hold(3));
	check_taken(delayed_exits__pop_old(&held, &record), &record, 1);
	check_taken(delayed_exits__pop_old(&held, &record), &record, 2);
	ck_assert(!delayed_exits__pop_old(&held, &record));
	delayed_exits__age(&held);
	check_taken(delayed_exits__pop_old(&held, &record), &record, 3);
	ck_assert(hold(4));
	check_taken(delayed_exits__pop(&held, &record), &record, 4);
	ck_assert(!delayed_exits__pop(&held, &record));
	delayed_exits__free(&held);
}
END_TEST

START_TEST(test_reused_tid_ends_delay)
{
	struct peat_record record = { .sz = sizeof(record) };

	ck_assert(!delayed_exits__pop_tid(&held, 7, UINT64_MAX, &record));
	for (uint32_t tid = 1; tid < 10; tid++)
		ck_assert(hold(tid));
	ck_assert(hold(5));
	ck_assert(!delayed_exits__pop_tid(&held, 10, UINT64_MAX, &record));
	ck_assert(!delayed_exits__pop_tid(&held, 5 + DELAYED_EXITS_TIDS, UINT64_MAX, &record));
	ck_assert(!delayed_exits__pop_tid(&held, 5, 1004, &record)); /* its EXIT is later */
	check_taken(delayed_exits__pop_tid(&held, 5, 1005, &record), &record, 5);
	check_taken(delayed_exits__pop_tid(&held, 5, 1005, &record), &record, 5);
	ck_assert(!delayed_exits__pop_tid(&held, 5, UINT64_MAX, &record));
	check_taken(delayed_exits__pop_tid(&held, 1, UINT64_MAX, &record), &record, 1);
	delayed_exits__age(&held);
	for (uint32_t tid = 2; tid < 10; tid++)
		if (tid != 5)
			check_taken(delayed_exits__pop_old(&held, &record), &record, tid);
	ck_assert(!delayed_exits__pop(&held, &record));
	ck_assert_uint_eq(held.count, 0);
	delayed_exits__free(&held);
}
END_TEST

/* Full, and past the end of the ring. */
START_TEST(test_exits_are_bounded)
{
	struct peat_record record = { .sz = sizeof(record) };
	uint32_t tid = 0, taken = 0;

	for (int rounds = 0; rounds < 3; rounds++) {
		while (hold(tid))
			tid++;
		ck_assert_uint_eq(tid - taken, DELAYED_EXITS_MAX);
		delayed_exits__age(&held);
		for (int i = 0; i < 1000; i++, taken++)
			check_taken(delayed_exits__pop_old(&held, &record), &record, taken);
	}
	ck_assert(!delayed_exits__pop_tid(&held, taken - 1, UINT64_MAX, &record));
	check_taken(delayed_exits__pop_tid(&held, tid - 1, UINT64_MAX, &record), &record, tid - 1);
	for (; taken < tid - 1; taken++)
		check_taken(delayed_exits__pop(&held, &record), &record, taken);
	ck_assert(!delayed_exits__pop(&held, &record));
	for (int i = 0; i < DELAYED_EXITS_TIDS; i++)
		ck_assert_uint_eq(held.tid_counts[i], 0);
	delayed_exits__free(&held);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_popped_after_two_flushes);
	tcase_add_test(tests, test_reused_tid_ends_delay);
	tcase_add_test(tests, test_exits_are_bounded);
}
