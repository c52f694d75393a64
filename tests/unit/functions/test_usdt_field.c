// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_usdt_field.c: arguments of USDT are numbers, or texts that they point to. */
#include <stdio.h>

#include "function_btf.h"
#include "functions/usdt_field.h"

static struct function_field argument(const char *path, uint32_t count)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };

	ck_assert_int_eq(usdt_field__make(&field, &types, path, count, &why), 0);
	ck_assert_uint_eq(why.count, 0);
	ck_assert_str_eq(field.path, path);
	return field;
}

static void refused_argument(const char *path, uint32_t count, const char *reason)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };

	ck_assert_int_eq(usdt_field__make(&field, &types, path, count, &why), -ENOENT);
	ck_assert_ptr_null(field.path);
	strbuf__char(&why, '\0');
	ck_assert_str_eq(why.bytes, reason);
	strbuf__free(&why);
}

START_TEST(test_arguments_are_numbers)
{
	for (unsigned i = 0; i < USDT_ARGUMENTS; i++) {
		struct function_field field;
		struct peat_schema *schema;
		struct function_plan plan;
		char path[16];

		snprintf(path, sizeof(path), "arg%u", i + 1);
		field = argument(path, USDT_ARGUMENTS);
		schema = schema_of(&field, 1, 0, &plan);
		ck_assert_int_eq(find_field(schema, path)->kind, PEAT_FIELD_HEX);
		ck_assert_uint_eq(find_field(schema, path)->bytes, 8);
		ck_assert_uint_eq(plan.read[0].source, PLAN_ARG0 + i);
		ck_assert_uint_eq(plan.read[0].steps, 0);
		ck_assert_uint_eq(plan.read[0].width, 8);
		peat_schema__free(schema);
	}
}
END_TEST

START_TEST(test_texts_are_in_user_memory)
{
	struct function_field field = argument("arg2.text", 2);
	struct function_plan plan;
	struct peat_schema *schema = schema_of(&field, 1, 0, &plan);

	ck_assert_int_eq(find_field(schema, "arg2.text")->kind, PEAT_FIELD_STRING);
	ck_assert_uint_eq(plan.read[0].source, PLAN_ARG1);
	ck_assert_uint_eq(plan.read[0].steps, 1);
	ck_assert_uint_eq(plan.read[0].width, 0);
	ck_assert_uint_eq(plan.read[0].flags, PLAN_USER);
	ck_assert_uint_eq(plan.read[0].bytes, types.text_bytes);
	ck_assert_int_eq(plan.read[0].offset[0], 0);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_other_names_are_refused)
{
	static const char *const paths[] = {
		"arg",	  "arg0",     "arg13",	     "arg99999999999999999999",
		"arg-1",  "arg 1",    "argx",	     "arg1x",
		"arg1.",  "arg1.tex", "arg1.text.x", "Arg1",
		"result", ""
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		refused_argument(paths[i], USDT_ARGUMENTS,
				 "USDT have arg1 to arg12, and arg1.text to arg12.text");
}
END_TEST

START_TEST(test_arguments_have_to_exist)
{
	refused_argument("arg3", 2, "it has 2 arguments");
	refused_argument("arg2.text", 1, "it has 1 argument");
	refused_argument("arg1", 0, "it has no arguments");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_arguments_are_numbers);
	tcase_add_test(tests, test_texts_are_in_user_memory);
	tcase_add_test(tests, test_other_names_are_refused);
	tcase_add_test(tests, test_arguments_have_to_exist);
}
