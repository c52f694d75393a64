// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_suggestion.c: names that are alike. */
#include <string.h>

#include <peat/text.h>

#include "base/suggestion.h"
#include "unit/suite.h"

static const char *best(const char *wanted, const char *const *names)
{
	static char found[sizeof(((struct suggestion *)0)->best)];
	struct suggestion suggestion = { .wanted = wanted };

	for (; *names; names++)
		suggestion__try(&suggestion, *names);
	return strcpy(found, suggestion.best);
}

#define BEST(wanted, ...) best(wanted, (const char *const[]){ __VA_ARGS__, NULL })

START_TEST(test_suggests_alike_names)
{
	ck_assert_str_eq(BEST("dleay", "comm", "delay"), "delay");
	ck_assert_str_eq(BEST("delayy", "delay"), "delay");
	ck_assert_str_eq(BEST("dela", "delay"), "delay");
	ck_assert_str_eq(BEST("demay", "delay"), "delay");
	ck_assert_str_eq(BEST("pdi", "tid", "pid"), "pid");
	ck_assert_str_eq(BEST("xelax", "delay"), "delay");
	ck_assert_str_eq(BEST("from.prot", "from", "from.port", "to.port"), "from.port");
	/* The first one of two that are as much alike. */
	ck_assert_str_eq(BEST("xid", "pid", "tid"), "pid");
}
END_TEST

START_TEST(test_ignores_different_names)
{
	char name[80];

	ck_assert_str_eq(BEST("xelxx", "delay"), "");
	ck_assert_str_eq(BEST("a", "b", "c"), "");
	ck_assert_str_eq(BEST("queue", "delay", ""), "");
	memset(name, 'a', 65);
	name[65] = 0;
	ck_assert_str_eq(BEST(name, name), "");
	ck_assert_str_eq(BEST("delay", name, "delax"), "delax");
	name[64] = 0;
	ck_assert_str_eq(BEST(name, name), name);
}
END_TEST

START_TEST(test_text_of_suggestion)
{
	struct suggestion suggestion = { .wanted = "dleay" };
	char text[192];

	ck_assert_str_eq(suggestion__text(&suggestion, text), ": ");
	suggestion__try(&suggestion, "delay");
	ck_assert_str_eq(suggestion__text(&suggestion, text), ": did you mean \"delay\"? ");
}
END_TEST

START_TEST(test_closest_name_is_one_of_the_list)
{
	static const char *const names[] = { "exec", "exit", "open", NULL };

	ck_assert_ptr_eq(peat_text__closest("opne", names), names[2]);
	ck_assert_ptr_eq(peat_text__closest("exce", names), names[0]);
	ck_assert_ptr_eq(peat_text__closest("exit", names), names[1]);
	ck_assert_ptr_null(peat_text__closest("syscall", names));
	ck_assert_ptr_null(peat_text__closest("", names));
	ck_assert_ptr_null(peat_text__closest("open", names + 3));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_suggests_alike_names);
	tcase_add_test(tests, test_ignores_different_names);
	tcase_add_test(tests, test_text_of_suggestion);
	tcase_add_test(tests, test_closest_name_is_one_of_the_list);
}
