// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_option_words.c: the command's options in messages of the library. */
#include <stdlib.h>

#include "cli/base/option_words.h"
#include "unit/suite.h"

static void check(const char *text, const char *expected)
{
	char *exchanged = option_words__exchange(text);

	ck_assert_ptr_nonnull(exchanged);
	ck_assert_str_eq(exchanged, expected);
	free(exchanged);
}

START_TEST(test_members_become_options)
{
	check("name it (interfaces of peat_session_opts), please", "name it (--if), please");
	check("btf of peat_session_opts", "--btf");
	check("peat_session__attach_to(), peat_session__leave_out()", "--attach, --no-prog");
}
END_TEST

START_TEST(test_other_text_stays)
{
	check("", "");
	check("btf of peat_session_opt", "btf of peat_session_opt");
	check("sz of peat_session_opts", "sz of peat_session_opts");
	check("peat_session__attach()", "peat_session__attach()");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_members_become_options);
	tcase_add_test(tests, test_other_text_stays);
}
