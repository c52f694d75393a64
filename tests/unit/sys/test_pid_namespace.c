// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pid_namespace.c: numbers of processes in their own namespaces. */
#include <unistd.h>

#include "sys/pid_namespace.h"
#include "unit/suite.h"

START_TEST(test_parses_innermost_ids)
{
	struct own_ids ids;

	ck_assert(pid_namespace__parse_ids(
		"Name:\tx\nNStgid:\t119\t6\t1\nNSpid:\t120\t7\t2\nNSpgid:\t5\n", &ids));
	ck_assert_uint_eq(ids.pid, 1);
	ck_assert_uint_eq(ids.tid, 2);
	ck_assert(pid_namespace__parse_ids("Name:\tx\nNStgid:\t119\nNSpid:\t120\n", &ids));
	ck_assert_uint_eq(ids.pid, 119);
	ck_assert_uint_eq(ids.tid, 120);
	ck_assert(!pid_namespace__parse_ids("Name:\tNSpid:\t3\nNStgid:\t3\n", &ids));
	ck_assert(!pid_namespace__parse_ids("\nNSpid:\n\nNStgid:\t3\n", &ids));
	ck_assert(!pid_namespace__parse_ids("\nNStgid:\t1\nNSpid:\t99999999999999999999\n", &ids));
	ck_assert(!pid_namespace__parse_ids("", &ids));
}
END_TEST

START_TEST(test_own_ids)
{
	struct own_ids ids;

	ck_assert(pid_namespace__own_ids((uint32_t)gettid(), &ids));
	ck_assert_uint_gt(ids.pid, 0);
	ck_assert_uint_gt(ids.tid, 0);
	ck_assert(!pid_namespace__own_ids(INT32_MAX, &ids));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_innermost_ids);
	tcase_add_test(tests, test_own_ids);
}
