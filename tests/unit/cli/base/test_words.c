// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_words.c: words of the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/words.h"
#include "cli/options/stack_format_words.h"
#include "unit/suite.h"

START_TEST(test_joined_words)
{
	static const char *const words[] = { "a", "", "b" };
	char *text = words__join(words, 3, ", ");

	ck_assert_str_eq(text, "a, , b");
	free(text);
	ck_assert_ptr_null(words__join(words, 0, ","));
}
END_TEST

START_TEST(test_ends_of_words)
{
	ck_assert(words__end_with("x.o", ".o"));
	ck_assert(words__end_with("x.o.o", ".o"));
	ck_assert(!words__end_with(".o", ".o"));
	ck_assert(!words__end_with("x.o.c", ".o"));
	ck_assert(!words__end_with("x.O", ".o"));
	ck_assert(!words__end_with("", ".o"));
	ck_assert(words__end_with("x", ""));
}
END_TEST

START_TEST(test_formats_of_files)
{
	enum peat_stacks_format format;
	const char *suffix;
	char path[64];

	for (enum peat_stacks_format i = 0; (suffix = peat_stacks__suffix(i)); i++) {
		snprintf(path, sizeof(path), "x%s", suffix);
		ck_assert_msg(stack_format_words__of_file(path, &format) && format == i, "%s",
			      path);
		ck_assert(!stack_format_words__of_file(suffix, &format));
		ck_assert(strstr(stack_format_words__suffixes().text, suffix));
	}
	ck_assert(!stack_format_words__of_file("x.gz", &format));
	ck_assert(stack_format_words__of_file("x.svg", &format));
	ck_assert_uint_eq(format, PEAT_STACKS_FLAMEGRAPH);
	ck_assert(stack_format_words__of_file("x.pb.gz", &format));
	ck_assert_uint_eq(format, PEAT_STACKS_PPROF);
	ck_assert_str_eq(stack_format_words__suffixes().text, ".folded, .svg, .pb.gz");
}
END_TEST

static void check_help(const char *text, const char *filtered)
{
	char *help = stack_format_words__filter_help(0, text, NULL);

	ck_assert_str_eq(help, filtered);
	free(help);
}

START_TEST(test_formats_in_help)
{
	static const char plain[] = "50% of all";
	char filtered[512];

	ck_assert_ptr_null(stack_format_words__filter_help(0, NULL, NULL));
	ck_assert_ptr_eq(stack_format_words__filter_help(0, plain, NULL), plain);
	snprintf(filtered, sizeof(filtered), "one of %s.", stack_format_words__names(", ").text);
	check_help("one of " STACK_FORMATS ".", filtered);
	check_help(STACK_SUFFIXES, stack_format_words__suffixes().text);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_joined_words);
	tcase_add_test(tests, test_ends_of_words);
	tcase_add_test(tests, test_formats_of_files);
	tcase_add_test(tests, test_formats_in_help);
}
