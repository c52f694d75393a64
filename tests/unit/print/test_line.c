// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_line.c: lines are cut between characters, and colours take no room. */
#include "print/line.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define RED(text) LINE_RED text LINE_PLAIN

static struct strbuf out;

static const char *taken(void)
{
	static char text[256];

	ck_assert(!out.failed && out.count < sizeof(text));
	memcpy(text, out.bytes, out.count);
	text[out.count] = 0;
	strbuf__cut(&out, 0);
	return text;
}

static const char *cut(const char *text, uint32_t width, bool keep_end)
{
	strbuf__text(&out, "");
	line__append_cut(&out, text, strlen(text), width, keep_end);
	return taken();
}

static const char *ended(const char *text, uint32_t width)
{
	strbuf__text(&out, "before ");
	strbuf__text(&out, text);
	line__end(&out, strlen("before "), width);
	return taken() + strlen("before ");
}

static void teardown(void)
{
	strbuf__free(&out);
}

START_TEST(test_counts_characters)
{
	ck_assert_uint_eq(line__characters("", 0), 0);
	ck_assert_uint_eq(line__characters("abc", 3), 3);
	ck_assert_uint_eq(line__characters("\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\x9d", 9), 3);
	ck_assert_uint_eq(line__characters(RED("ab") "c", strlen(RED("ab") "c")), 3);
	ck_assert_uint_eq(line__characters("ab\x1b[3", 5), 2); /* no end */
}
END_TEST

START_TEST(test_cuts_text_at_either_end)
{
	ck_assert_str_eq(cut("/usr/lib/libc.so", 16, false), "/usr/lib/libc.so");
	ck_assert_str_eq(cut("/usr/lib/libc.so", 16, true), "/usr/lib/libc.so");
	ck_assert_str_eq(cut("/usr/lib/libc.so", 9, false), "/usr/lib…");
	ck_assert_str_eq(cut("/usr/lib/libc.so", 9, true), "…/libc.so");
	ck_assert_str_eq(cut("/usr/lib", 1, false), "…");
	ck_assert_str_eq(cut("/usr/lib", 1, true), "…");
	ck_assert_str_eq(cut("/usr/lib", 0, true), "");
	ck_assert_str_eq(cut("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 2, false), "€…");
	ck_assert_str_eq(cut("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 2, true), "…€");
}
END_TEST

START_TEST(test_ends_lines)
{
	ck_assert_str_eq(ended("a b  ", 0), "a b\n");
	ck_assert_str_eq(ended("   ", 3), "\n");
	ck_assert_str_eq(ended("abcdef", 6), "abcdef\n");
	ck_assert_str_eq(ended("abcdef", 5), "abcd…\n");
	ck_assert_str_eq(ended("abcdef", 1), "…\n");
	ck_assert_str_eq(ended("ab" RED("cd"), 4), "ab" RED("cd") "\n");
	ck_assert_str_eq(ended("ab" RED("cd"), 3), "ab" LINE_RED "…" LINE_PLAIN "\n");
	ck_assert_str_eq(ended(RED("ab") "cdef", 4), RED("ab") "c…" LINE_PLAIN "\n");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_counts_characters);
	tcase_add_test(tests, test_cuts_text_at_either_end);
	tcase_add_test(tests, test_ends_lines);
}
