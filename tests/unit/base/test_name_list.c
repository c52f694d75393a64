// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_name_list.c: lists of names that are cut. */
#include "base/name_list.h"
#include "unit/suite.h"

START_TEST(test_joins_names)
{
	char list[40] = "";

	name_list__append(list, sizeof(list), "delay");
	ck_assert_str_eq(list, "delay");
	name_list__append(list, sizeof(list), "comm");
	ck_assert_str_eq(list, "delay, comm");
}
END_TEST

START_TEST(test_ends_a_full_list)
{
	char list[20] = "";

	for (int i = 0; i < 10; i++)
		name_list__append(list, sizeof(list), "abc");
	ck_assert_str_eq(list, "abc, abc, abc, ...");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_joins_names);
	tcase_add_test(tests, test_ends_a_full_list);
}
