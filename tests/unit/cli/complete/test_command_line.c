// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_command_line.c: the words of a line that is being typed. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/complete/command_line.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

/* Joins the words with | between them. */
static const char *words(const char *text)
{
	static char joined[256];
	struct command_line line;
	size_t count = 0;

	ck_assert_int_eq(command_line__split(&line, text), 0);
	ck_assert_uint_ge(line.count, 1);
	for (size_t i = 0; i < line.count; i++)
		count += (size_t)snprintf(joined + count, sizeof(joined) - count, "%s%s",
					  i ? "|" : "", line.words[i]);
	command_line__free(&line);
	return joined;
}

START_TEST(test_splits_words)
{
	ck_assert_str_eq(words(""), "");
	ck_assert_str_eq(words("peat"), "peat");
	ck_assert_str_eq(words("peat "), "peat|");
	ck_assert_str_eq(words("  peat \t trace  e"), "peat|trace|e");
	ck_assert_str_eq(words(" "), "");
	ck_assert_str_eq(words("a b"), "a|b");
}
END_TEST

START_TEST(test_splits_quoted_words)
{
	ck_assert_str_eq(words("a 'b c' d"), "a|b c|d");
	ck_assert_str_eq(words("a 'b c"), "a|b c");
	ck_assert_str_eq(words("a --where=\"b 'c\\\"d\\x"), "a|--where=b 'c\"d\\x");
	ck_assert_str_eq(words("a 'b\\' c"), "a|b\\|c");
	ck_assert_str_eq(words("a\\ b ''"), "a b|");
	ck_assert_str_eq(words("a '"), "a|");
	ck_assert_str_eq(words("a\\"), "a");
	ck_assert_str_eq(words("\\"), "");
}
END_TEST

/* Every end of a line with all special characters. */
START_TEST(test_every_end)
{
	static const char text[] = "' \\\" ''\"\\'\" \\ \\\\ 'a\\' \"b\\$c\\d\" x\\";

	for (size_t bytes = 0; bytes < sizeof(text); bytes++) {
		char *end = strndup(text, bytes);

		words(end);
		free(end);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_splits_words);
	tcase_add_test(tests, test_splits_quoted_words);
	tcase_add_test(tests, test_every_end);
}
