// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_place.c: places in texts of any length. */
#include <stdlib.h>

#include "base/place.h"
#include "unit/suite.h"

static void check(const char *text, uint32_t at, const char *expected)
{
	struct strbuf out = { 0 };

	place__append(&out, text, at);
	strbuf__char(&out, '\0');
	ck_assert(!out.failed);
	ck_assert_str_eq(out.bytes, expected);
	strbuf__free(&out);
}

START_TEST(test_short_text_is_whole)
{
	check("abc", 0, "\n  abc\n  ^");
	check("abc", 3, "\n  abc\n     ^");
	check("a\tb", 2, "\n  a\\tb\n     ^");
	check("", 0, "\n  \n  ^");
}
END_TEST

START_TEST(test_long_text_is_cut)
{
	char text[101];

	memset(text, 'a', 100);
	text[100] = '\0';
	text[60] = 'X';
	check(text, 60,
	      "\n  ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaXaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
	      "\n                                             ^");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_short_text_is_whole);
	tcase_add_test(tests, test_long_text_is_cut);
}
