// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_check.c: all checks of the machine, with any privileges. */
#include <dirent.h>
#include <string.h>

#include <peat/log.h>

#include "machine/check.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static unsigned count_files(void)
{
	DIR *files = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(files);
	while (readdir(files))
		count++;
	closedir(files);
	return count;
}

static int count_check(void *arg, const struct peat_check *check)
{
	ck_assert_uint_eq(check->sz, sizeof(*check));
	ck_assert_ptr_nonnull(check->name);
	ck_assert_ptr_nonnull(check->topic);
	ck_assert_uint_gt(strlen(check->found), 0);
	ck_assert_uint_le(check->state, PEAT_CHECK_MISSING);
	++*(unsigned *)arg;
	return 0;
}

START_TEST(test_checks_leave_nothing_behind)
{
	unsigned count = 0, again = 0, files;

	ck_assert_int_eq(peat_machine__check(count_check, &count), 0);
	files = count_files();
	ck_assert_int_eq(peat_machine__check(count_check, &again), 0);
	ck_assert_uint_eq(count_files(), files);
	ck_assert_uint_eq(again, count);
	ck_assert_uint_ge(count, 36);
}
END_TEST

static int stop_at_second(void *arg, const struct peat_check *check)
{
	(void)check;
	return ++*(int *)arg == 2 ? 17 : 0;
}

START_TEST(test_visit_ends_the_checks)
{
	int visits = 0;

	ck_assert_int_eq(peat_machine__check(stop_at_second, &visits), 17);
	ck_assert_int_eq(visits, 2);
}
END_TEST

static void log_nothing(enum peat_log_level level, const char *text)
{
	ck_assert_msg(level > PEAT_LOG_WARN, "%s", text);
}

START_TEST(test_failures_are_not_logged)
{
	unsigned count = 0;

	peat_set_print(log_nothing);
	ck_assert_int_eq(peat_machine__check(count_check, &count), 0);
	peat_set_print(NULL);
}
END_TEST

START_TEST(test_results_are_cut)
{
	struct check check = { 0 };

	check__fail(&check, PEAT_CHECK_LIMITED, "remedy", "%*s", 1000, "x");
	ck_assert_int_eq(check.state, PEAT_CHECK_LIMITED);
	ck_assert_str_eq(check.remedy, "remedy");
	ck_assert_uint_eq(strlen(check.found), sizeof(check.found) - 1);
	check__pass(&check, "yes");
	ck_assert_int_eq(check.state, PEAT_CHECK_OK);
	ck_assert_str_eq(check.found, "yes");
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_checks_leave_nothing_behind);
	tcase_add_test(tests, test_visit_ends_the_checks);
	tcase_add_test(tests, test_failures_are_not_logged);
	tcase_add_test(tests, test_results_are_cut);
}
