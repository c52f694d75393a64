// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_outputs.c: outputs by their names. */
#include <errno.h>

#include <peat/output.h>

#include "unit/suite.h"

START_TEST(test_unknown_output)
{
	errno = 0;
	ck_assert_ptr_null(peat_output__find("none"));
	ck_assert_int_eq(errno, ENOENT);
	errno = 0;
	ck_assert_ptr_null(peat_output__find(""));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_unknown_output);
}
