// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_message.c: messages with their place; more are in test_parse.c. */
#include "where/message.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

START_TEST(test_message_shows_place)
{
	where_schema__catch();
	where_message("a\tb", 2, "bad %s", "b");
	ck_assert_str_eq(where_schema__error(), "where: bad b\n  a\\tb\n     ^");
	where_message("ab", 2, "end");
	ck_assert_str_eq(where_schema__error(), "where: end\n  ab\n    ^");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_message_shows_place);
}
