// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_task_names.c: names by time: changed, inherited, ended, used again, forgotten. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "event/task_names.h"

static struct tasks *tasks;
static long blocks;

static void setup(void)
{
	blocks = fail_alloc__blocks();
}

/* Each test frees its names. */
static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

static void begin(size_t limit)
{
	tasks = tasks__new(limit);
	ck_assert_ptr_nonnull(tasks);
}

static void is(uint32_t tid, uint64_t time_ns, const char *name)
{
	const char *got = tasks__name(tasks, tid, time_ns);

	ck_assert_msg(name ? got && !strcmp(got, name) : !got, "%u at %llu is %s, not %s", tid,
		      (unsigned long long)time_ns, got ? got : "NULL", name ? name : "NULL");
}

static void holds(size_t threads, size_t names, size_t past)
{
	struct tasks_counts counts = tasks__counts(tasks);

	ck_assert_uint_eq(counts.threads, threads);
	ck_assert_uint_eq(counts.names, names);
	ck_assert_uint_eq(counts.past, past);
	ck_assert_uint_eq(counts.no_memory, 0);
}

START_TEST(test_each_time_has_its_name)
{
	begin(100);
	is(7, 10, NULL);
	tasks__comm(tasks, 7, 100, "first");
	tasks__comm(tasks, 7, 200, "second");
	tasks__comm(tasks, 7, 300, "");
	is(7, 99, NULL);
	is(7, 100, "first");
	is(7, 199, "first");
	is(7, 200, "second");
	is(7, 299, "second");
	is(7, 300, "");
	is(7, UINT64_MAX, "");
	is(8, 200, NULL);
	is(7 + 1024, 200, NULL); /* in the same bucket */
	holds(1, 3, 2);
	tasks__free(tasks);
}
END_TEST

/* Names of the kernel have 15 bytes at most, those of other recorders any number. */
/* A copy has the names of its time, and stays when the original changes or is freed. */
START_TEST(test_copy_is_independent)
{
	char long_name[TASKS_NAME_BYTES];
	struct tasks *original;

	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	begin(100);
	for (uint32_t tid = 0; tid < 3000; tid++)
		tasks__comm(tasks, tid, 50, "many");
	tasks__comm(tasks, 7, 100, "first");
	tasks__comm(tasks, 7, 200, "second");
	tasks__comm(tasks, 8, 100, long_name);
	tasks__exit(tasks, 8, 150);
	original = tasks;
	tasks = tasks__copy(original);
	ck_assert_ptr_nonnull(tasks);
	tasks__comm(original, 7, 150, "late");
	tasks__free(original);
	is(7, 60, "many");
	is(7, 199, "first");
	is(7, 200, "second");
	is(8, 170, long_name);
	is(2999, 50, "many");
	is(3000, 50, NULL);
	tasks__free(tasks);
}
END_TEST

START_TEST(test_copy_without_memory)
{
	begin(100);
	for (uint32_t tid = 0; tid < 5; tid++)
		tasks__comm(tasks, tid, 50, "a name that is longer than the kernel's");
	for (unsigned nth = 1; nth; nth++) {
		struct tasks *copy;

		fail_alloc__begin(nth);
		copy = tasks__copy(tasks);
		if (!fail_alloc__end())
			nth = UINT_MAX;
		else
			ck_assert_ptr_null(copy);
		tasks__free(copy);
	}
	tasks__free(tasks);
}
END_TEST

START_TEST(test_long_names)
{
	char longest[TASKS_NAME_BYTES], longer[TASKS_NAME_BYTES + 1];

	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memset(longer, 'n', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	begin(100);
	tasks__comm(tasks, 1, 1, "123456789012345");
	is(1, 1, "123456789012345");
	tasks__comm(tasks, 1, 2, "1234567890123456");
	is(1, 2, "1234567890123456");
	tasks__comm(tasks, 1, 2, "x"); /* told again */
	is(1, 2, "x");
	tasks__comm(tasks, 1, 3, longer);
	is(1, 3, longest);
	tasks__fork(tasks, 2, 1, 4);
	is(2, 4, longest);
	tasks__comm(tasks, 1, 3, "1234567890123456");
	is(1, 3, "1234567890123456");
	is(2, 4, longest);
	holds(2, 4, 2);
	tasks__free(tasks);
}
END_TEST

START_TEST(test_child_has_the_name_of_then)
{
	begin(100);
	tasks__comm(tasks, 1, 100, "old");
	tasks__comm(tasks, 1, 200, "new");
	tasks__fork(tasks, 2, 1, 150);
	tasks__fork(tasks, 3, 1, 250);
	tasks__fork(tasks, 4, 3, 260);
	is(2, 149, NULL);
	is(2, 150, "old");
	is(2, 999, "old");
	is(3, 250, "new");
	is(4, 260, "new");
	tasks__comm(tasks, 2, 300, "own");
	is(2, 299, "old");
	is(2, 300, "own");
	is(1, 300, "new");
	tasks__free(tasks);
}
END_TEST

START_TEST(test_id_used_again)
{
	begin(100);
	tasks__comm(tasks, 1, 1, "shell");
	tasks__fork(tasks, 5, 1, 10);
	tasks__comm(tasks, 5, 20, "ls");
	tasks__exit(tasks, 5, 30);
	is(5, 31, "ls"); /* seen once more, on its way out */
	tasks__fork(tasks, 5, 1, 40);
	tasks__comm(tasks, 5, 50, "cat");
	tasks__exit(tasks, 5, 60);
	is(5, 9, NULL);
	is(5, 10, "shell");
	is(5, 29, "ls");
	is(5, 39, "ls");
	is(5, 40, "shell");
	is(5, 50, "cat");
	is(5, 61, "cat");
	holds(2, 5, 4);

	/* The child of somebody who is not known has no name, and not that of the one before. */
	tasks__fork(tasks, 5, 4711, 70);
	is(5, 69, "cat");
	is(5, 70, NULL);
	tasks__free(tasks);
}
END_TEST

/* The end of one who had the id before is no end of this one. */
START_TEST(test_late_tidings)
{
	begin(2);
	tasks__comm(tasks, 5, 100, "now");
	tasks__exit(tasks, 5, 90);
	tasks__exit(tasks, 6, 90);
	tasks__exit(tasks, 5, 99);
	holds(1, 1, 0);
	tasks__comm(tasks, 5, 50, "before");
	is(5, 60, "before");
	is(5, 100, "now");
	holds(1, 2, 1);
	tasks__comm(tasks, 5, 40, "long before");
	tasks__comm(tasks, 5, 30, "longer"); /* one too many: the first that came goes */
	is(5, 60, "long before");
	is(5, 35, "longer");
	is(5, 100, "now");
	holds(1, 3, 2);
	tasks__free(tasks);

	begin(2);
	tasks__comm(tasks, 6, 90, "short");
	tasks__exit(tasks, 6, 90); /* named and ended at the same time */
	holds(1, 1, 1);
	tasks__free(tasks);
}
END_TEST

START_TEST(test_oldest_are_forgotten_first)
{
	begin(3);
	tasks__comm(tasks, 1, 1, "stays");
	for (uint32_t tid = 2; tid < 8; tid++) {
		tasks__fork(tasks, tid, 1, tid);
		tasks__exit(tasks, tid, 10 + tid);
	}
	is(4, 20, NULL);
	is(5, 20, "stays");
	is(7, 20, "stays");
	is(1, 20, "stays");
	holds(4, 4, 3);
	tasks__free(tasks);

	begin(0);
	tasks__comm(tasks, 1, 1, "a");
	tasks__comm(tasks, 1, 2, "b");
	is(1, 1, NULL);
	is(1, 2, "b");
	tasks__exit(tasks, 1, 3);
	is(1, 4, NULL);
	tasks__exit(tasks, 1, 3);
	holds(0, 0, 0);
	tasks__free(tasks);
}
END_TEST

#define LIMIT 1000u

/* Memory is what lives, and the limit, however many came and went. */
START_TEST(test_fork_storm)
{
	begin(LIMIT);
	tasks__comm(tasks, 1, 1, "bomb");
	for (uint32_t i = 0; i < 1000 * 1000; i++) {
		uint32_t tid = 2 + i % 30000;

		tasks__fork(tasks, tid, 1, 10 * i + 10);
		tasks__exit(tasks, tid, 10 * i + 15);
		if (i % 100000)
			continue;
		ck_assert_uint_le(tasks__counts(tasks).names, LIMIT + 1);
		ck_assert_uint_le(tasks__counts(tasks).threads, LIMIT + 1);
	}
	holds(LIMIT + 1, LIMIT + 1, LIMIT);
	tasks__free(tasks);
}
END_TEST

/* One thread that has a new name all the time: as quick as many threads. */
START_TEST(test_rename_storm)
{
	char name[16];

	begin(65536);
	for (uint32_t i = 0; i < 1000 * 1000; i++) {
		snprintf(name, sizeof(name), "%u", i);
		tasks__comm(tasks, 9, i, name);
		ck_assert_str_eq(tasks__name(tasks, 9, i), name);
	}
	holds(1, 65537, 65536);
	is(9, 1000 * 1000 - 1026, "998974");
	is(9, 1000 * 1000 - 65537, "934463");
	is(9, 1000 * 1000 - 65538, NULL);
	tasks__free(tasks);
}
END_TEST

/* Names from the newest to the oldest, and questions that are far back: quick as well. */
START_TEST(test_names_far_back)
{
	begin(65536);
	for (uint32_t i = 1000 * 1000; i > 900 * 1000; i--)
		tasks__comm(tasks, 9, i, "x");
	holds(1, 65537, 65536);
	for (uint32_t i = 0; i < 100 * 1000; i++)
		tasks__comm(tasks, 10, i, "y");
	for (uint32_t i = 0; i < 100 * 1000; i++)
		is(10, 1, NULL);
	tasks__free(tasks);
}
END_TEST

static unsigned asked;

/* Thread 9 is unknown after its end. */
static bool find_ids(void *arg, uint32_t tid, bool has_ended, struct own_ids *ids)
{
	asked++;
	*ids = (struct own_ids){ *(uint32_t *)arg, tid + 1 };
	return tid != 9 || !has_ended;
}

static void has_ids(uint32_t tid, uint64_t time_ns, uint32_t pid, uint32_t own_tid)
{
	uint64_t since_ns, until_ns;
	struct own_ids ids;

	tasks__name_span(tasks, tid, time_ns, &since_ns, &until_ns, &ids);
	ck_assert_uint_eq(ids.pid, pid);
	ck_assert_uint_eq(ids.tid, own_tid);
}

START_TEST(test_ids_of_each_life)
{
	uint32_t pid = 5;

	begin(10);
	asked = 0;
	has_ids(7, 1, 0, 0);
	tasks__follow_ids(tasks, find_ids, &pid);
	tasks__comm(tasks, 7, 10, "a");
	has_ids(8, 10, 0, 0);
	has_ids(7, 5, 5, 8);
	has_ids(7, 15, 5, 8);
	tasks__comm(tasks, 7, 20, "b");
	has_ids(7, 20, 5, 8);
	ck_assert_uint_eq(asked, 1);
	tasks__exit(tasks, 7, 30);
	has_ids(7, 30, 5, 8);
	pid = 6;
	tasks__fork(tasks, 7, 1, 40);
	has_ids(7, 39, 0, 0);
	has_ids(7, 40, 6, 8);
	ck_assert_uint_eq(asked, 2);
	tasks__comm(tasks, 9, 10, "c");
	tasks__exit(tasks, 9, 20);
	has_ids(9, 15, 0, 0);
	has_ids(9, 15, 0, 0);
	ck_assert_uint_eq(asked, 3);
	tasks__free(tasks);
}
END_TEST

START_TEST(test_grows_with_what_lives)
{
	char name[16];

	begin(10);
	for (uint32_t tid = 1; tid <= 200000; tid++) {
		snprintf(name, sizeof(name), "%u", tid);
		tasks__comm(tasks, tid * 7, tid, name);
	}
	for (uint32_t tid = 1; tid <= 200000; tid++) {
		snprintf(name, sizeof(name), "%u", tid);
		is(tid * 7, tid, name);
		is(tid * 7 + 1, tid, NULL);
	}
	holds(200000, 200000, 0);
	for (uint32_t tid = 1; tid <= 200000; tid++)
		tasks__exit(tasks, tid * 7, UINT64_MAX);
	holds(10, 10, 10);
	tasks__free(tasks);
}
END_TEST

/* More than the kernel's PID_MAX_LIMIT: /proc has no such thread. */
#define NO_THREAD 5000000u

/* This very process: its name holds for the time before as well, until something else is told. */
START_TEST(test_scans_proc)
{
	uint32_t us = (uint32_t)getpid();

	begin(65536);
	ck_assert_int_eq(prctl(PR_SET_NAME, "sc-an +me"), 0);
	ck_assert_int_eq(tasks__scan(tasks, 1000), 0);
	is(us, 1000, "sc-an +me");
	is(us, 1, "sc-an +me");
	ck_assert_int_eq(prctl(PR_SET_NAME, "kworker/1:2-work"), 0);
	ck_assert_int_eq(tasks__scan(tasks, 2000), 0);
	is(us, 1999, "sc-an +me");
	is(us, 2000, "kworker/1:2");
	tasks__fork(tasks, us, NO_THREAD, 500);
	is(us, 499, NULL);
	is(us, 500, NULL);
	is(us, 1000, "sc-an +me");
	tasks__free(tasks);
}
END_TEST

#define RENAMES 100003u /* a prime */

/* Names added in any order are right at any time. */
START_TEST(test_random_times)
{
	char name[16];

	begin(RENAMES);
	for (uint32_t i = 0; i < RENAMES; i++) {
		uint32_t nth = (uint32_t)((uint64_t)i * 61813 % RENAMES);

		snprintf(name, sizeof(name), "%u", nth);
		tasks__comm(tasks, 9, 10 + 10 * nth, name);
	}
	holds(1, RENAMES, RENAMES - 1);
	srand(1);
	for (uint32_t i = 0; i < RENAMES; i++) {
		uint32_t time_ns = 10 + (uint32_t)rand() % (10 * RENAMES);
		uint64_t since_ns, until_ns;

		snprintf(name, sizeof(name), "%u", time_ns / 10 - 1);
		ck_assert_str_eq(tasks__name_span(tasks, 9, time_ns, &since_ns, &until_ns, NULL),
				 name);
		ck_assert_uint_eq(since_ns, time_ns / 10 * 10);
		ck_assert(until_ns == since_ns + 9 || until_ns == UINT64_MAX);
	}
	is(9, 9, NULL);
	tasks__free(tasks);
}
END_TEST

/* The name that /proc had is found before its time, however many names are newer. */
START_TEST(test_found_name_far_back)
{
	uint32_t us = (uint32_t)getpid();

	begin(65536);
	ck_assert_int_eq(prctl(PR_SET_NAME, "found"), 0);
	ck_assert_int_eq(tasks__scan(tasks, 1000), 0);
	for (uint64_t i = 1; i <= 5000; i++)
		tasks__comm(tasks, us, 1000 + i, "newer");
	is(us, 1, "found");
	tasks__free(tasks);
}
END_TEST

/* ---- missing memory -------------------------------------------------------------------------- */

static bool comm_without_memory(unsigned nth, uint32_t tid, uint64_t time_ns, const char *comm)
{
	fail_alloc__begin(nth);
	tasks__comm(tasks, tid, time_ns, comm);
	return fail_alloc__end();
}

START_TEST(test_no_memory_for_tasks)
{
	for (unsigned nth = 1; nth <= 3; nth++) {
		bool failed;

		fail_alloc__begin(nth);
		tasks = tasks__new(10);
		failed = fail_alloc__end();
		ck_assert(failed == !tasks);
		tasks__free(tasks);
	}
}
END_TEST

static unsigned warnings;

static void count_warnings(enum peat_log_level level, const char *text)
{
	warnings += level == PEAT_LOG_WARN && strstr(text, "names of all tasks");
}

/* A thread without any name is removed; a thread that has a name keeps it.  One warning. */
START_TEST(test_no_memory_for_names)
{
	peat_print_fn old = peat_set_print(count_warnings);
	uint64_t no_memory = 0;

	warnings = 0;
	begin(100);
	for (unsigned nth = 1; nth <= 2; nth++) /* of the thread, of the name */
		if (comm_without_memory(nth, 7, 10, "new"))
			ck_assert_uint_eq(tasks__counts(tasks).no_memory, ++no_memory);
		else
			goto end; /* a sanitizer */
	ck_assert_uint_eq(tasks__counts(tasks).threads, 0);
	is(7, 10, NULL);
	tasks__comm(tasks, 7, 10, "first");
	ck_assert(comm_without_memory(1, 7, 20, "second"));
	ck_assert_uint_eq(tasks__counts(tasks).no_memory, 3);
	ck_assert_uint_eq(tasks__counts(tasks).threads, 1);
	is(7, 20, "first");
	ck_assert(comm_without_memory(2, 7, 30, "longer than the kernel's"));
	is(7, 30, "longer than the");
	ck_assert_uint_eq(tasks__counts(tasks).no_memory, 4);
	ck_assert_uint_eq(warnings, 1);
end:
	peat_set_print(old);
	tasks__free(tasks);
}
END_TEST

/* Without memory for more buckets, all threads are found in those that exist. */
START_TEST(test_no_memory_for_buckets)
{
	begin(10);
	for (uint32_t tid = 1; tid <= 1024; tid++)
		tasks__comm(tasks, tid, 1, "name");
	comm_without_memory(2, 1025, 1, "name");
	for (uint32_t tid = 1026; tid <= 3000; tid++)
		tasks__comm(tasks, tid, 1, "name");
	for (uint32_t tid = 1; tid <= 3000; tid++)
		is(tid, 1, "name");
	holds(3000, 3000, 0);
	tasks__free(tasks);
}
END_TEST

SUITE(120)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_each_time_has_its_name);
	tcase_add_test(tests, test_copy_is_independent);
	tcase_add_test(tests, test_copy_without_memory);
	tcase_add_test(tests, test_long_names);
	tcase_add_test(tests, test_child_has_the_name_of_then);
	tcase_add_test(tests, test_id_used_again);
	tcase_add_test(tests, test_late_tidings);
	tcase_add_test(tests, test_oldest_are_forgotten_first);
	tcase_add_test(tests, test_fork_storm);
	tcase_add_test(tests, test_rename_storm);
	tcase_add_test(tests, test_names_far_back);
	tcase_add_test(tests, test_ids_of_each_life);
	tcase_add_test(tests, test_random_times);
	tcase_add_test(tests, test_grows_with_what_lives);
	tcase_add_test(tests, test_scans_proc);
	tcase_add_test(tests, test_found_name_far_back);
	tcase_add_test(tests, test_no_memory_for_tasks);
	tcase_add_test(tests, test_no_memory_for_names);
	tcase_add_test(tests, test_no_memory_for_buckets);
}
