// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json_value.c: strings, names and bytes of JSON. */

#include "base/json_value.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static void check(struct strbuf *out, const char *json)
{
	strbuf__char(out, 0);
	ck_assert_str_eq(out->bytes, json);
	strbuf__free(out);
}

START_TEST(test_strings_or_hex_objects)
{
	struct strbuf out = { 0 };

	json_value__string(&out, "a \"word\"\n", 9);
	check(&out, "\"a \\\"word\\\"\\n\"");
	json_value__string(&out, "", 0);
	check(&out, "\"\"");
	json_value__string(&out, "\xff\x01", 2);
	check(&out, "{\"hex\":\"ff01\"}");
}
END_TEST

/* A name is a string, whatever bytes it has. */
START_TEST(test_names_are_strings)
{
	struct strbuf out = { 0 };

	json_value__name(&out, "a\\b");
	check(&out, "\"a\\\\b\"");
	json_value__name(&out, "\xff\x01");
	check(&out, "\"ff01\"");
}
END_TEST

START_TEST(test_bytes_in_hex)
{
	struct strbuf out = { 0 };

	json_value__hex(&out, "\x00\xab", 2);
	check(&out, "\"00ab\"");
	json_value__hex(&out, NULL, 0);
	check(&out, "\"\"");
}
END_TEST

START_TEST(test_array_of_strings)
{
	struct strbuf out = { 0 };

	json_value__strings(&out, "a\0\0b", 5);
	check(&out, "[\"a\",\"\",\"b\"]");
	json_value__strings(&out, "cut", 2);
	check(&out, "[\"cu\"]");
	json_value__strings(&out, NULL, 0);
	check(&out, "[]");
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_strings_or_hex_objects);
	tcase_add_test(tests, test_names_are_strings);
	tcase_add_test(tests, test_bytes_in_hex);
	tcase_add_test(tests, test_array_of_strings);
}
