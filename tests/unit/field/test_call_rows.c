// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_call_rows.c: the script call-rows without tracepoints. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "unit/suite.h"

/* The script fails, without a row. */
START_TEST(test_no_tracepoints)
{
	FILE *output = popen("user/lib/field/call-rows /no/such 2>&1", "r");
	char text[512] = "";

	ck_assert_ptr_nonnull(output);
	ck_assert_uint_lt(fread(text, 1, sizeof(text) - 1, output), sizeof(text) - 1);
	ck_assert_int_eq(WEXITSTATUS(pclose(output)), 1);
	ck_assert_msg(strstr(text, "call-rows: no tracepoints sys_enter_* in /no/such: ") == text,
		      "%s", text);
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_no_tracepoints);
}
