// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pid_namespace.c: numbers of processes in their own namespaces. */
#include <unistd.h>

#include "sys/pid_namespace.h"
#include "unit/suite.h"

START_TEST(test_parses_innermost_pid)
{
	uint32_t pid = 0;

	ck_assert(pid_namespace__parse_pid("Name:\tx\nNSpid:\t120\t7\t1\nNSpgid:\t5\n", &pid));
	ck_assert_uint_eq(pid, 1);
	ck_assert(pid_namespace__parse_pid("Name:\tx\nNSpid:\t120\n", &pid));
	ck_assert_uint_eq(pid, 120);
	ck_assert(!pid_namespace__parse_pid("Name:\tNSpid:\t3\n", &pid));
	ck_assert(!pid_namespace__parse_pid("\nNSpid:\n", &pid));
	ck_assert(!pid_namespace__parse_pid("\nNSpid:\t99999999999999999999\n", &pid));
	ck_assert(!pid_namespace__parse_pid("", &pid));
}
END_TEST

START_TEST(test_own_pid)
{
	ck_assert_uint_gt(pid_namespace__own_pid((uint32_t)getpid()), 0);
	ck_assert_uint_eq(pid_namespace__own_pid(INT32_MAX), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_innermost_pid);
	tcase_add_test(tests, test_own_pid);
}
