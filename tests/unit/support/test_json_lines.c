// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json_lines.c: the tests' own reader of JSON refuses what is none. */
#include <string.h>

#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "unit/suite.h"

static const char *const good[] = {
	"{}",
	"[]",
	"0",
	"-0",
	"-0.5e+10",
	"1E-2",
	"null",
	" { \"a\" : [ 1 , true ] ,\n\t\"b\":{}} ",
	"\"\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
	"\"Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \x7f\"",
	"{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
	"18446744073709551616",
};

static const char *const bad[] = {
	"",
	" ",
	"{",
	"[1,]",
	"[,1]",
	"[1 2]",
	"[1",
	"{\"a\":1,}",
	"{\"a\"}",
	"{\"a\" 1}",
	"{a:1}",
	"{1:1}",
	"{\"a\":1 \"b\":2}",
	"{\"a\":1,\"a\":2}",
	"{}{}",
	"1 2",
	"01",
	"-",
	"+1",
	".5",
	"1.",
	"1e",
	"0x10",
	"nul",
	"nulll",
	"NaN",
	"-Infinity",
	"True",
	"'a'",
	"\"a",
	"\"\\\"",
	"\"\\x41\"",
	"\"\\u12g4\"",
	"\"\\u123",
	"\"\\ud800\"",
	"\"\\ud800\\u0041\"",
	"\"\\udc00\"",
	"\"a\nb\"",
	"\"\x1b\"",
	"\"\xff\"",
	"\"\xc0\x80\"",
	"\"\xc3\"",
	"\"\xc3(\"",
	"\"\xe0\x80\x80\"",
	"\"\xed\xa0\x80\"",
	"\"\xf4\x90\x80\x80\"",
	"\"\x80\"",
	"\xef\xbb\xbf{}",
};

START_TEST(test_checks_lines)
{
	size_t at;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		const char *wrong = json_lines__check(good[i], strlen(good[i]), &at);

		ck_assert_msg(!wrong, "%s: %s at %zu", good[i], wrong, at);
		ck_assert_uint_eq(at, strlen(good[i]));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(json_lines__check(bad[i], strlen(bad[i]), &at), "taken: %s", bad[i]);
	ck_assert_ptr_nonnull(json_lines__check("\"a\0b\"", 5, &at));
	ck_assert_ptr_nonnull(json_lines__check("{}\0", 3, &at));
}
END_TEST

START_TEST(test_finds_values)
{
	static const char line[] = "{ \"type\": \"exec\", \"args\":[\"a\",{\"hex\":\"ff\"},-7],"
				   "\"to\":{\"port\":443,\"on\":true,\"no\":null,\"e\":[]},"
				   "\"t\":\"\\u00fc\\ud83d\\ude00\\n\\\"\"}";

	ck_assert_str_eq(json_lines__text(line, "type"), "exec");
	ck_assert_str_eq(json_lines__text(line, "args[0]"), "a");
	ck_assert_str_eq(json_lines__text(line, "args[1].hex"), "ff");
	ck_assert_int_eq(json_lines__number(line, "args[2]"), -7);
	ck_assert_str_eq(json_lines__raw(line, "args[1]"), "{\"hex\":\"ff\"}");
	ck_assert(json_lines__is(line, "to.port", "443"));
	ck_assert_int_eq(json_lines__kind(line, "to"), JSON_OBJECT);
	ck_assert_int_eq(json_lines__kind(line, "to.on"), JSON_BOOL);
	ck_assert_int_eq(json_lines__kind(line, "to.no"), JSON_NULL);
	ck_assert_int_eq(json_lines__kind(line, "to.e"), JSON_ARRAY);
	ck_assert_int_eq(json_lines__kind(line, "to.port"), JSON_NUMBER);
	ck_assert_int_eq(json_lines__kind(line, "t"), JSON_STRING);
	ck_assert_str_eq(json_lines__text(line, "t"), "\xc3\xbc\xf0\x9f\x98\x80\n\"");
	ck_assert_ptr_null(json_lines__text(line, "to.port"));
	ck_assert_str_eq(json_lines__raw(line, "port"), "");
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(json_lines__kind(line, (const char *[]){ "typ", "args[3]",
									  "to.e[0]", "type.x" }[i]),
				 JSON_NOTHING);
}
END_TEST

START_TEST(test_splits_lines)
{
	char text[] = "{\"a\":1}\n{\"a\":2}\n";
	struct json_lines lines = json_lines__split(text);

	ck_assert_uint_eq(lines.count, 2);
	ck_assert_int_eq(json_lines__number(lines.lines[1], "a"), 2);
	json_lines__free(&lines);
	lines = json_lines__split(text + sizeof(text) - 1);
	ck_assert_uint_eq(lines.count, 0);
	json_lines__free(&lines);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_checks_lines);
	tcase_add_test(tests, test_finds_values);
	tcase_add_test(tests, test_splits_lines);
}
