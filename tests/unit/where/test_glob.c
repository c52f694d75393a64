// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_glob.c: patterns of text. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "where/glob.h"
#include "unit/suite.h"

static bool matches(const char *pattern, const char *text)
{
	return where_glob__matches(pattern, text, (uint32_t)strlen(text));
}

START_TEST(test_matches_patterns)
{
	ck_assert(matches("", ""));
	ck_assert(!matches("", "a"));
	ck_assert(matches("*", ""));
	ck_assert(matches("a*c", "abbc"));
	ck_assert(!matches("a*c", "abbcd"));
	ck_assert(matches("*a*b*", "xxaxxbxx"));
	ck_assert(!matches("*a*b*", "xxbxxaxx"));
	ck_assert(matches("a?c", "abc"));
	ck_assert(!matches("a?c", "ac"));
	ck_assert(matches("[a-c]x", "bx"));
	ck_assert(!matches("[a-c]x", "dx"));
	ck_assert(matches("[!a-c]x", "dx"));
	ck_assert(matches("[^a-c]x", "dx"));
	ck_assert(matches("[]a]", "]"));
	ck_assert(matches("[a-]", "-"));
	ck_assert(matches("\\*", "*"));
	ck_assert(!matches("\\*", "a"));
	ck_assert(matches("[\x80-\xff]", "\xc3"));
}
END_TEST

/* Several strings, each with its NUL, are printed with blanks. */
START_TEST(test_nul_is_a_blank)
{
	ck_assert(where_glob__matches("ls -*", "ls\0-l", 5));
	ck_assert(where_glob__matches("ls?-l", "ls\0-l", 5));
	ck_assert(where_glob__matches("ls[ ]-l", "ls\0-l", 5));
	ck_assert(!where_glob__matches("ls-l", "ls\0-l", 5));
}
END_TEST

START_TEST(test_validity_of_patterns)
{
	ck_assert(where_glob__is_valid("a*[b-c]?\\["));
	ck_assert(where_glob__is_valid("[]]"));
	ck_assert(where_glob__is_valid("a]"));
	ck_assert(!where_glob__is_valid("["));
	ck_assert(!where_glob__is_valid("[]"));
	ck_assert(!where_glob__is_valid("[!]"));
	ck_assert(!where_glob__is_valid("a\\"));
}
END_TEST

static void check_reduced(const char *pattern, enum where_op op, const char *expected)
{
	char copy[32];

	strcpy(copy, pattern);
	ck_assert_int_eq(where_glob__reduce(copy), op);
	ck_assert_str_eq(copy, expected);
}

START_TEST(test_reduced_patterns)
{
	check_reduced("", WHERE_TEXT_EQUAL, "");
	check_reduced("a\\*\\\\", WHERE_TEXT_EQUAL, "a*\\");
	check_reduced("a\\*b*", WHERE_TEXT_BEGINS, "a*b");
	check_reduced("a*b", WHERE_TEXT_GLOB, "a*b");
	check_reduced("\\a[b]*", WHERE_TEXT_GLOB, "\\a[b]*");
}
END_TEST

START_TEST(test_as_fnmatch)
{
	static const char letters[] = "ab*?";
	char pattern[7], text[7];

	srand(1);
	for (int i = 0; i < 200000; i++) {
		int count = rand() % 7, length = rand() % 7;

		for (int j = 0; j < count; j++)
			pattern[j] = letters[rand() % 4];
		for (int j = 0; j < length; j++)
			text[j] = letters[rand() % 2];
		pattern[count] = text[length] = 0;
		ck_assert_msg(matches(pattern, text) == !fnmatch(pattern, text, 0), "%s %s",
			      pattern, text);
	}
}
END_TEST

/* Takes long if each * is tried again for each other one. */
START_TEST(test_many_stars)
{
	char text[4000], pattern[201];

	memset(text, 'a', sizeof(text));
	for (int i = 0; i < 200; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[199] = 'b';
	pattern[200] = 0;
	ck_assert(!where_glob__matches(pattern, text, sizeof(text)));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_matches_patterns);
	tcase_add_test(tests, test_nul_is_a_blank);
	tcase_add_test(tests, test_validity_of_patterns);
	tcase_add_test(tests, test_reduced_patterns);
	tcase_add_test(tests, test_as_fnmatch);
	tcase_add_test(tests, test_many_stars);
}
