// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cpus.c: lists of CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/cpus.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

/* Parses a list, and prints the set number by number. */
static const char *parsed(const char *list)
{
	static char text[65536];
	struct cpus set;
	size_t used = 0;
	int err = cpus__parse(&set, list);

	if (err) {
		snprintf(text, sizeof(text), "%s",
			 err == -EINVAL	  ? "EINVAL"
			 : err == -ERANGE ? "ERANGE"
					  : "?");
		return text;
	}
	text[0] = '\0';
	for_each_cpu (cpu, &set)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u", used ? " " : "",
					 cpu);
	cpus__free(&set);
	return text;
}

START_TEST(test_lists_of_the_kernel)
{
	ck_assert_str_eq(parsed("0\n"), "0");
	ck_assert_str_eq(parsed("0-3,8,10-11\n"), "0 1 2 3 8 10 11");
	ck_assert_str_eq(parsed("0-1\n"), "0 1");
	ck_assert_str_eq(parsed(""), "");
	ck_assert_str_eq(parsed("\n"), "");
	ck_assert_str_eq(parsed("0-9:2/4"), "0 1 4 5 8 9");
	ck_assert_str_eq(parsed("3-3"), "3");
}
END_TEST

START_TEST(test_lists_of_users)
{
	ck_assert_str_eq(parsed(" 4 , 2,2-4 "), "2 3 4");
	ck_assert_str_eq(parsed("007"), "7");
	ck_assert_str_eq(parsed("65535"), "65535");
}
END_TEST

START_TEST(test_invalid_lists)
{
	static const char *const bad[] = { "x",	      "-1",	 "1-",	  "1,,2",   ",1",
					   "1,",      "3-1",	 "1 2",	  "0x1",    "1-2-3",
					   "1;2",     "0-7:",	 "0-7:1", "0-7:1/", "0-7:0/2",
					   "0-7:3/2", "0-7:1/0", "1.5",	  "+1",	    "\x80",
					   "1-2:1/2x" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!strcmp(parsed(bad[i]), "EINVAL"), "'%s' gave %s", bad[i],
			      parsed(bad[i]));
	ck_assert_str_eq(parsed("65536"), "ERANGE");
	ck_assert_str_eq(parsed("0-4294967296"), "ERANGE");
	ck_assert_str_eq(parsed("99999999999999999999999"), "ERANGE");
}
END_TEST

START_TEST(test_four_thousand_cpus)
{
	struct cpus set;
	char list[32768];
	size_t used = 0;

	for (int cpu = 0; cpu < 8000; cpu += 2)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%d", cpu ? "," : "",
					 cpu);
	ck_assert_int_eq(cpus__parse(&set, list), 0);
	ck_assert_uint_eq(cpus__count(&set), 4000);
	ck_assert_uint_eq(set.limit, 7999);
	ck_assert(cpus__has(&set, 7998) && !cpus__has(&set, 7997) && !cpus__has(&set, 8000));
	ck_assert(!cpus__has(&set, UINT32_MAX));
	cpus__free(&set);
	ck_assert_int_eq(cpus__parse(&set, "0-3999"), 0);
	ck_assert_uint_eq(cpus__count(&set), 4000);
	ck_assert_uint_eq(set.limit, 4000);
	cpus__free(&set);
}
END_TEST

START_TEST(test_this_machine)
{
	struct cpus online, possible;

	ck_assert_int_eq(cpus__read(&online, "online"), 0);
	ck_assert_int_eq(cpus__read(&possible, "possible"), 0);
	ck_assert_uint_ge(cpus__count(&online), 1);
	for_each_cpu (cpu, &online)
		ck_assert(cpus__has(&possible, cpu));
	cpus__free(&online);
	cpus__free(&possible);
	ck_assert_int_eq(cpus__read(&online, "no-such-list"), -ENOENT);
}
END_TEST

static void check_choice(const char *list, int err)
{
	struct cpus set = { 0 };

	ck_assert_int_eq(cpus__choose(&set, list), err);
	ck_assert_uint_eq(cpus__count(&set), !err);
	cpus__free(&set);
}

START_TEST(test_choice_of_online_cpus)
{
	check_choice("0", 0);
	check_choice("1-", -EINVAL);
	check_choice("65536", -ERANGE);
	check_choice("9999", -ENODEV);
	check_choice("0,9999", -ENODEV);
	check_choice("", -ENODEV);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_lists_of_the_kernel);
	tcase_add_test(tests, test_lists_of_users);
	tcase_add_test(tests, test_invalid_lists);
	tcase_add_test(tests, test_four_thousand_cpus);
	tcase_add_test(tests, test_this_machine);
	tcase_add_test(tests, test_choice_of_online_cpus);
}
