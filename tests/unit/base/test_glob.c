// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_glob.c: names that match a pattern, also compared with fnmatch(3). */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"

#include "unit/suite.h"

static void check(const char *pattern, const char *name, bool wanted)
{
	ck_assert_msg(glob__match(pattern, name, strlen(name)) == wanted, "%s, %s", pattern, name);
}

START_TEST(test_stars_and_questions)
{
	check("vfs_read", "vfs_read", true);
	check("vfs_read", "vfs_readv", false);
	check("vfs_readv", "vfs_read", false);
	check("vfs_*", "vfs_", true);
	check("vfs_*", "vfs_read", true);
	check("vfs_*", "vf", false);
	check("*read*write*", "a_read_readwrite_b", true);
	check("*read*write", "read_write_b", false);
	check("v?s", "vfs", true);
	check("v?s", "vs", false);
	check("", "", true);
	check("", "a", false);
	check("*", "", true);
	check("**", "ab", true);
}
END_TEST

START_TEST(test_sets_of_characters)
{
	check("f[0-9]", "f7", true);
	check("f[0-9]", "fa", false);
	check("f[!0-9]", "fa", true);
	check("f[^0-9]", "f7", false);
	check("f[]a]", "f]", true);
	check("f[a-]", "f-", true);
	check("operator[]", "operator[]", true);
	check("a[b", "a[b", true);
	check("a\\*b", "a*b", true);
	check("a\\*b", "axb", false);
	check("a[\\]]", "a]", true);
	check("a\\", "a\\", false);
}
END_TEST

START_TEST(test_names_without_an_end)
{
	ck_assert(glob__match("vfs_*d", "vfs_readv", 8));
	ck_assert(!glob__match("vfs_*dv", "vfs_readv", 8));
}
END_TEST

START_TEST(test_recognises_patterns)
{
	ck_assert(glob__is("vfs_*"));
	ck_assert(glob__is("vfs_rea?"));
	ck_assert(glob__is("[vw]fs_read"));
	ck_assert(!glob__is("vfs_read"));
	ck_assert(!glob__is(""));
}
END_TEST

static void make_text(char text[64], const char *const *parts, size_t count)
{
	text[0] = 0;
	for (int left = rand() % 8; left > 0; left--)
		strcat(text, parts[(size_t)rand() % count]);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Sets without an end are left out: some of them match nothing there. */
START_TEST(test_agrees_with_fnmatch)
{
	static const char *const patterns[] = { "a",	  "b",	  "-",	   "]",	    "!",
						"^",	  "*",	  "*",	   "?",	    "\\*",
						"\\a",	  "[ab]", "[!a]",  "[^-a]", "[]a]",
						"[!]a]",  "[a-]", "[*-a]", "[b-a]", "[\\]b]",
						"[a\\-b]" };
	static const char *const names[] = { "a", "b", "-", "]", "!", "^", "*", "\\" };
	char pattern[64], name[64];
	int matches = 0;

	srand(1);
	for (int i = 0; i < 300000; i++) {
		make_text(pattern, patterns, COUNT(patterns));
		make_text(name, names, COUNT(names));
		check(pattern, name, !fnmatch(pattern, name, 0));
		matches += !fnmatch(pattern, name, 0);
	}
	ck_assert_int_gt(matches, 10000);
}
END_TEST

/* fnmatch() needs minutes. */
START_TEST(test_many_stars_are_quick)
{
	static char name[20000];

	memset(name, 'a', sizeof(name) - 1);
	check("*a*a*a*a*a*a*a*a*b", name, false);
	check("*a*a*a*a*a*a*a*a*a", name, true);
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_stars_and_questions);
	tcase_add_test(tests, test_sets_of_characters);
	tcase_add_test(tests, test_names_without_an_end);
	tcase_add_test(tests, test_recognises_patterns);
	tcase_add_test(tests, test_agrees_with_fnmatch);
	tcase_add_test(tests, test_many_stars_are_quick);
}
