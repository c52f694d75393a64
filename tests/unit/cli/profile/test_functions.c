// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_functions.c: stacks counted by function, in columns and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/profile/functions.h"
#include "support/recording/json_lines.h"
#include "unit/suite.h"

static struct functions functions;
static char *text;

static void teardown(void)
{
	functions__free(&functions);
	free(text);
	text = NULL;
}

/* Adds a stack of functions of "/bin/a", the innermost first. */
static void add(uint64_t weight, size_t count, const char *const *symbols)
{
	struct peat_stack_frame frames[8] = { 0 };

	for (size_t i = 0; i < count; i++) {
		frames[i].symbol = symbols[i];
		frames[i].module = symbols[i] ? "/bin/a" : NULL;
		frames[i].space = PEAT_SPACE_USER;
	}
	ck_assert_int_eq(functions__add(&functions, frames, count, weight), 0);
}

#define ADD(weight, ...)                                                                           \
	add(weight, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *),                 \
	    (const char *const[]){ __VA_ARGS__ })

static const char *print(const struct functions_style *style, bool json)
{
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	if (json)
		functions__print_json(&functions, style, out);
	else
		functions__print(&functions, style, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(test_prints_columns)
{
	const struct functions_style style = { .rows = UINT64_MAX };

	ADD(1, "leaf", "middle", "main");
	ADD(2, "leaf", "main");
	ADD(1, "main");
	ck_assert_str_eq(print(&style, false), "   SELF   TOTAL  SAMPLES  FUNCTION  MODULE\n"
					       " 75.00%  75.00%        3  leaf      a\n"
					       " 25.00% 100.00%        1  main      a\n"
					       "  0.00%  25.00%        0  middle    a\n");
}
END_TEST

START_TEST(test_order_by_total)
{
	const struct functions_style style = { .rows = 2, .by_total = true, .no_heading = true };

	ADD(1, "leaf", "middle", "main");
	ADD(2, "leaf", "main");
	ADD(1, "main");
	ck_assert_str_eq(print(&style, false), " 25.00% 100.00%        1  main      a\n"
					       " 75.00%  75.00%        3  leaf      a\n");
}
END_TEST

/* The total of a function that calls itself is not more than all. */
START_TEST(test_counts_recursion_once)
{
	const struct functions_style style = { .rows = UINT64_MAX, .no_heading = true };

	ADD(5, "again", "again", "again", "main");
	ck_assert_str_eq(print(&style, false), "100.00% 100.00%        5  again     a\n"
					       "  0.00% 100.00%        0  main      a\n");
}
END_TEST

START_TEST(test_times_and_unknown_names)
{
	const struct functions_style style = { .rows = UINT64_MAX, .is_time = true };

	ADD(1500000000, NULL, "main");
	ADD(500000000, "\x1b[31mred\n");
	ck_assert_str_eq(print(&style, false),
			 "   SELF   TOTAL     SECONDS  FUNCTION       MODULE\n"
			 " 75.00%  75.00%    1.500000  [unknown]      [unknown]\n"
			 " 25.00%  25.00%    0.500000  \\x1b[31mred\\n  a\n"
			 "  0.00%  75.00%    0.000000  main           a\n");
}
END_TEST

START_TEST(test_kernel_without_names)
{
	const struct functions_style style = { .rows = UINT64_MAX, .no_heading = true };
	const struct peat_stack_frame frame = { .space = PEAT_SPACE_KERNEL };

	ck_assert_int_eq(functions__add(&functions, &frame, 1, 1), 0);
	ck_assert_str_eq(print(&style, false), "100.00% 100.00%        1  [unknown]  [kernel]\n");
}
END_TEST

START_TEST(test_by_module)
{
	const struct functions_style style = { .rows = UINT64_MAX, .no_heading = true };

	functions.by_module = true;
	ADD(1, "leaf", "main");
	ADD(1, "main");
	ck_assert_str_eq(print(&style, false), "100.00% 100.00%        2  [unknown]  a\n");
}
END_TEST

START_TEST(test_many_functions)
{
	const struct functions_style style = { .rows = 1, .no_heading = true };
	char name[16];

	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "f%d", i % 1000);
		ADD(1, name, "main");
	}
	ck_assert_uint_eq(functions.count, 1001);
	for (size_t i = 0; i < functions.count; i++)
		ck_assert_uint_eq(functions.at[i].self,
				  strcmp(functions.at[i].symbol, "main") ? 5 : 0);
	print(&style, false);
	ck_assert_uint_eq(functions.at[0].self, 5);
}
END_TEST

START_TEST(test_prints_json)
{
	const struct functions_style style = { .rows = UINT64_MAX };
	size_t at;

	ADD(3, "le\"af", "main");
	ADD(1, NULL);
	print(&style, true);
	ck_assert_msg(!json_lines__check(text, strlen(text), &at), "%s", text);
	ck_assert_int_eq(json_lines__number(text, "stacks"), 2);
	ck_assert_int_eq(json_lines__number(text, "weight"), 4);
	ck_assert_str_eq(json_lines__text(text, "unit"), "samples");
	ck_assert_str_eq(json_lines__text(text, "functions[0].symbol"), "le\"af");
	ck_assert_str_eq(json_lines__text(text, "functions[0].module"), "/bin/a");
	ck_assert_int_eq(json_lines__number(text, "functions[0].self"), 3);
	ck_assert(json_lines__is(text, "functions[1].symbol", "null"));
	ck_assert_int_eq(json_lines__number(text, "functions[2].total"), 3);
}
END_TEST

START_TEST(test_no_stacks)
{
	const struct functions_style style = { .rows = UINT64_MAX };
	size_t at;

	ck_assert_str_eq(print(&style, false), "   SELF   TOTAL  SAMPLES  FUNCTION  MODULE\n");
	free(text);
	print(&style, true);
	ck_assert_msg(!json_lines__check(text, strlen(text), &at), "%s", text);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_prints_columns);
	tcase_add_test(tests, test_order_by_total);
	tcase_add_test(tests, test_counts_recursion_once);
	tcase_add_test(tests, test_times_and_unknown_names);
	tcase_add_test(tests, test_kernel_without_names);
	tcase_add_test(tests, test_by_module);
	tcase_add_test(tests, test_many_functions);
	tcase_add_test(tests, test_prints_json);
	tcase_add_test(tests, test_no_stacks);
}
