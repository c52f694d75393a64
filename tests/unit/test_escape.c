// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_escape.c: text that must not act on a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "harness.h"
#include "suites.h"

static void check(const char *text, size_t bytes, char quote, const char *wanted, size_t columns)
{
	char *written;
	size_t written_bytes, returned;
	FILE *out = open_memstream(&written, &written_bytes);

	returned = escape__print(out, text, bytes, quote);
	fclose(out);
	ck_assert_str_eq(written, wanted);
	ck_assert_uint_eq(returned, columns);
	free(written);
}

START_TEST(test_plain_text_stays)
{
	check("/usr/bin/ls -l", 14, 0, "/usr/bin/ls -l", 14);
	check("Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d", 15, 0,
	      "Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9d", 8);
}
END_TEST

START_TEST(test_control_characters)
{
	check("\x1b[31m", 5, 0, "\\x1b[31m", 8);
	check("a\nb\tc\x7f", 6, 0, "a\\nb\\tc\\x7f", 11);
	check("\xc2\x9b"
	      "A",
	      3, 0, "\\xc2\\x9bA", 9); /* CSI as U+009B */
	check("\0x", 2, 0, "\\x00x", 5);
}
END_TEST

START_TEST(test_what_is_not_utf8)
{
	check("\xff", 1, 0, "\\xff", 4);
	check("\xc3", 1, 0, "\\xc3", 4);			     /* cut short */
	check("\xc0\xaf", 2, 0, "\\xc0\\xaf", 8);		     /* overlong */
	check("\xe0\x80\xaf", 3, 0, "\\xe0\\x80\\xaf", 12);	     /* overlong */
	check("\xed\xa0\x80", 3, 0, "\\xed\\xa0\\x80", 12);	     /* a surrogate */
	check("\xf4\x90\x80\x80", 4, 0, "\\xf4\\x90\\x80\\x80", 16); /* past U+10FFFF */
	check("\xe2\x82", 2, 0, "\\xe2\\x82", 8);
}
END_TEST

START_TEST(test_quotes)
{
	check("a\"b\\c", 5, '"', "a\\\"b\\\\c", 7);
	check("a\"b", 3, 0, "a\"b", 3);
}
END_TEST

Suite *escape_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("escape", 10, &tests);

	tcase_add_test(tests, test_plain_text_stays);
	tcase_add_test(tests, test_control_characters);
	tcase_add_test(tests, test_what_is_not_utf8);
	tcase_add_test(tests, test_quotes);
	return suite;
}
