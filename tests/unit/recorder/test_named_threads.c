// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_named_threads.c: the names that a recording has given to threads. */
#include "recorder/named_threads.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct named_threads named;

static void teardown(void)
{
	named_threads__free(&named);
}

static bool has(uint32_t tid, const char *name)
{
	return named_threads__has(&named, tid, name, 0);
}

START_TEST(test_sets_names_of_threads)
{
	static const uint32_t tids[] = { 1, 4095, 4096, 4097, 4711, NAMED_THREADS_TIDS - 1 };

	for (uint32_t i = 0; i < 6; i++) {
		ck_assert(!has(tids[i], "name"));
		named_threads__set(&named, tids[i], "name", 0);
		for (uint32_t at = 0; at < 6; at++)
			ck_assert(has(tids[at], "name") == (at <= i));
	}
	named_threads__set(&named, 4096, NULL, 0);
	ck_assert(!has(4096, "name"));
	ck_assert(has(4095, "name"));
	ck_assert(has(4097, "name"));
	ck_assert(!has(4098, ""));
}
END_TEST

START_TEST(test_whole_names_are_compared)
{
	named_threads__set(&named, 7, "sh", 0);
	ck_assert(!has(7, "s"));
	ck_assert(!has(7, "she"));
	named_threads__set(&named, 7, "", 0);
	ck_assert(has(7, ""));
	ck_assert(!has(7, "sh"));
	named_threads__set(&named, 7, "fifteen letters", 0);
	ck_assert(has(7, "fifteen letters"));
	ck_assert(!has(7, "fifteen letters+"));
	named_threads__set(&named, 7, "fifteen letters+", 0);
	ck_assert(!has(7, "fifteen letters+"));
	ck_assert(!has(7, "fifteen letters"));
}
END_TEST

START_TEST(test_copies_names)
{
	named_threads__set(&named, 1, "fifteen letters", 0);
	named_threads__copy(&named, 70000, 1, 0);
	ck_assert(has(70000, "fifteen letters"));
	named_threads__copy(&named, 70000, 2, 0);
	ck_assert(!has(70000, "fifteen letters"));
	named_threads__copy(&named, 1, 90000, 0);
	ck_assert(!has(1, "fifteen letters"));
}
END_TEST

/* Ids of no thread need no name, and setting them does nothing. */
START_TEST(test_no_threads)
{
	static const uint32_t tids[] = { 0, NAMED_THREADS_TIDS, UINT32_MAX };

	for (uint32_t i = 0; i < 3; i++) {
		named_threads__set(&named, tids[i], "a", 0);
		named_threads__copy(&named, tids[i], 1, 0);
		ck_assert(has(tids[i], "b"));
	}
}
END_TEST

START_TEST(test_no_memory)
{
	bool failed;

	fail_alloc__begin(1);
	named_threads__set(&named, 7, "a", 0);
	failed = fail_alloc__end();
	ck_assert(has(7, "a") == !failed);
}
END_TEST

/* Names of times before the newest entry are unknown, and do not change it. */
START_TEST(test_names_have_times)
{
	named_threads__set(&named, 7, "old", 100);
	ck_assert(named_threads__has(&named, 7, "old", 100));
	ck_assert(!named_threads__has(&named, 7, "old", 99));
	named_threads__set(&named, 7, "new", 200);
	named_threads__set(&named, 7, "old", 150);
	named_threads__set(&named, 7, NULL, 199);
	ck_assert(named_threads__has(&named, 7, "new", 200));
	ck_assert(!named_threads__has(&named, 7, "old", 150));
	ck_assert_uint_eq(named_threads__since(&named, 7), 200);
	ck_assert_uint_eq(named_threads__since(&named, 8), 0);
	named_threads__set(&named, 7, NULL, 300);
	ck_assert(!named_threads__has(&named, 7, "new", 300));
}
END_TEST

/* A fork copies the parent's name only if it was the name then. */
START_TEST(test_copy_times)
{
	named_threads__set(&named, 1, "parent", 100);
	named_threads__copy(&named, 2, 1, 150);
	ck_assert(named_threads__has(&named, 2, "parent", 150));
	ck_assert(!named_threads__has(&named, 2, "parent", 149));
	named_threads__copy(&named, 3, 1, 99);
	ck_assert(!named_threads__has(&named, 3, "parent", 150));
	named_threads__set(&named, 2, "child", 160);
	named_threads__copy(&named, 2, 1, 155); /* an older record, read later */
	ck_assert(named_threads__has(&named, 2, "child", 160));
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_sets_names_of_threads);
	tcase_add_test(tests, test_whole_names_are_compared);
	tcase_add_test(tests, test_copies_names);
	tcase_add_test(tests, test_no_threads);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_names_have_times);
	tcase_add_test(tests, test_copy_times);
}
