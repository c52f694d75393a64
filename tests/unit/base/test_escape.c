// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_escape.c: foreign text, escaped so that it cannot act on a terminal. */
#include <stdio.h>
#include <string.h>

#include <peat/text.h>

#include "base/escape.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static void check(const char *text, size_t bytes, char quote, const char *wanted, size_t columns)
{
	struct strbuf out = { 0 };

	ck_assert_uint_eq(escape__text(&out, text, bytes, quote), columns);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

static void check_json(const char *text, size_t bytes, const char *wanted)
{
	struct strbuf out = { 0 };

	ck_assert(escape__json(&out, text, bytes));
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

static void check_no_json(const char *text, size_t bytes)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "before");
	ck_assert(!escape__json(&out, text, bytes));
	ck_assert_uint_eq(out.count, 6);
	strbuf__free(&out);
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

START_TEST(test_invalid_utf8)
{
	check("\xff", 1, 0, "\\xff", 4);
	check("\xc3", 1, 0, "\\xc3", 4);			     /* cut */
	check("\xc0\xaf", 2, 0, "\\xc0\\xaf", 8);		     /* overlong */
	check("\xe0\x80\xaf", 3, 0, "\\xe0\\x80\\xaf", 12);	     /* overlong */
	check("\xed\xa0\x80", 3, 0, "\\xed\\xa0\\x80", 12);	     /* a surrogate */
	check("\xf4\x90\x80\x80", 4, 0, "\\xf4\\x90\\x80\\x80", 16); /* past U+10FFFF */
	check("\xe2\x82", 2, 0, "\\xe2\\x82", 8);
}
END_TEST

START_TEST(test_escapes_quotes_if_asked)
{
	check("a\"b\\c", 5, '"', "a\\\"b\\\\c", 7);
	check("a\"b", 3, 0, "a\"b", 3);
}
END_TEST

/* Characters that change the direction of text, and their neighbours, which do not. */
static const struct {
	const char *text, *escaped, *json;
} directions[] = {
	{ "\xd8\x9c", "\\xd8\\x9c", "\"\\u061c\"" },
	{ "\xe2\x80\x8e", "\\xe2\\x80\\x8e", "\"\\u200e\"" },
	{ "\xe2\x80\x8f", "\\xe2\\x80\\x8f", "\"\\u200f\"" },
	{ "\xe2\x80\xaa", "\\xe2\\x80\\xaa", "\"\\u202a\"" },
	{ "\xe2\x80\xab", "\\xe2\\x80\\xab", "\"\\u202b\"" },
	{ "\xe2\x80\xac", "\\xe2\\x80\\xac", "\"\\u202c\"" },
	{ "\xe2\x80\xad", "\\xe2\\x80\\xad", "\"\\u202d\"" },
	{ "\xe2\x80\xae", "\\xe2\\x80\\xae", "\"\\u202e\"" },
	{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6", "\"\\u2066\"" },
	{ "\xe2\x81\xa7", "\\xe2\\x81\\xa7", "\"\\u2067\"" },
	{ "\xe2\x81\xa8", "\\xe2\\x81\\xa8", "\"\\u2068\"" },
	{ "\xe2\x81\xa9", "\\xe2\\x81\\xa9", "\"\\u2069\"" },
};

START_TEST(test_escapes_text_directions)
{
	static const char *const shown[] = { "\xd8\x9b",     "\xd8\x9d",     "\xe2\x80\x8d",
					     "\xe2\x80\x90", "\xe2\x80\xa9", "\xe2\x80\xaf",
					     "\xe2\x81\xa5", "\xe2\x81\xaa" };

	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++) {
		size_t bytes = strlen(directions[i].text);

		check(directions[i].text, bytes, 0, directions[i].escaped,
		      strlen(directions[i].escaped));
		check_json(directions[i].text, bytes, directions[i].json);
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		check(shown[i], strlen(shown[i]), 0, shown[i], 1);
}
END_TEST

/* ---- into memory of the caller --------------------------------------------------------------- */

static void check_room(const char *text, size_t room, const char *wanted)
{
	size_t bytes = strlen(text);
	char out[64];

	memset(out, '#', sizeof(out));
	ck_assert_uint_eq(peat_text__escape(out, room, text, bytes),
			  peat_text__escape(NULL, 0, text, bytes));
	if (room)
		ck_assert_str_eq(out, wanted);
	ck_assert_int_eq(out[room], '#');
}

/* The same bytes are escaped as by escape__text(), but for backslashes. */
START_TEST(test_each_byte_into_memory)
{
	for (int first = 0; first < 256; first++)
		for (int second = 0; second < 256; second++) {
			const char text[] = { 'a', (char)first, (char)second, 'z' };
			char out[64];
			struct strbuf wanted = { 0 };

			if (first == '\\' || second == '\\')
				continue;
			escape__text(&wanted, text, sizeof(text), 0);
			ck_assert_uint_eq(peat_text__escape(out, sizeof(out), text, sizeof(text)),
					  wanted.count);
			strbuf__char(&wanted, 0);
			ck_assert_str_eq(out, wanted.bytes);
			strbuf__free(&wanted);
		}
	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		check_room(directions[i].text, 63, directions[i].escaped);
}
END_TEST

/* No character and no escape is cut. */
START_TEST(test_cut_into_memory)
{
	static const char text[] = "a\x1b\xc3\xa9\n"
				   "b";
	static const char *const wanted[] = { "",
					      "",
					      "a",
					      "a",
					      "a",
					      "a",
					      "a\\x1b",
					      "a\\x1b",
					      "a\\x1b\xc3\xa9",
					      "a\\x1b\xc3\xa9",
					      "a\\x1b\xc3\xa9\\n",
					      "a\\x1b\xc3\xa9\\nb" };

	ck_assert_uint_eq(peat_text__escape(NULL, 0, text, strlen(text)), 10);
	for (size_t room = 0; room < sizeof(wanted) / sizeof(*wanted); room++)
		check_room(text, room, wanted[room]);
	check_room("\xe2\x80\xae", 5, "\\xe2");
	check_room("\xe2\x80\xae", 4, "");
	check_room("\xe2\x82", 20, "\\xe2\\x82");
}
END_TEST

/* Text that was escaped before does not change. */
START_TEST(test_escaped_text_stays)
{
	check_room("a\\x1b\\\\n\\u202e", 40, "a\\x1b\\\\n\\u202e");
}
END_TEST

/* ---- each place ------------------------------------------------------------------------------ */

/* One byte that needs an escape, at each place of the eight-byte words and of the remainder. */
START_TEST(test_each_place)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz";
	static const char bad[] = "\x1f\x7f\"\\\x80\xff\x01";

	for (size_t length = 1; length < sizeof(plain); length++) {
		for (size_t at = 0; at < length; at++) {
			char text[sizeof(plain)], wanted[64];

			for (size_t i = 0; i + 1 < sizeof(bad); i++) {
				unsigned char byte = (unsigned char)bad[i];
				bool quoted = byte == '"' || byte == '\\';

				memcpy(text, plain, length);
				text[at] = bad[i];
				snprintf(wanted, sizeof(wanted),
					 quoted ? "%.*s\\%c%s" : "%.*s\\x%02x%s", (int)at, plain,
					 byte, "");
				strncat(wanted, plain + at + 1, length - at - 1);
				check(text, length, '"', wanted, strlen(wanted));
			}
		}
	}
}
END_TEST

START_TEST(test_json_escapes)
{
	check_json("", 0, "\"\"");
	check_json("/usr/bin/ls -l 'x'", 18, "\"/usr/bin/ls -l 'x'\"");
	check_json("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
	check_json("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
	check_json("\0\a\v\x1b\x7f", 5, "\"\\u0000\\u0007\\u000b\\u001b\\u007f\"");
	check_json("\xc2\x80\xc2\x9f\xc2\xa0", 6, "\"\\u0080\\u009f\xc2\xa0\"");
	check_json("\xf0\x9f\x90\x9d \xe2\x82\xac", 8, "\"\xf0\x9f\x90\x9d \xe2\x82\xac\"");
}
END_TEST

START_TEST(test_no_json)
{
	check_no_json("\xff", 1);
	check_no_json("0123456789\xc3", 11);
	check_no_json("\x80", 1);
	check_no_json("\xc0\xaf", 2);
	check_no_json("\xed\xa0\x80", 3);
	check_no_json("\xf4\x90\x80\x80", 4);
	check_no_json("\xf5\x80\x80\x80", 4);
	check_no_json("\xe2\x82", 2);
	check_no_json("\xe2\x82x", 3);
}
END_TEST

static void check_xml(const char *text, size_t bytes, const char *wanted)
{
	struct strbuf out = { 0 };

	escape__xml(&out, text, bytes);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

#define REPLACED "\xef\xbf\xbd"

START_TEST(test_xml_escapes)
{
	check_xml("", 0, "");
	check_xml("operator<<(A&&, \"]]>\")", 22,
		  "operator&lt;&lt;(A&amp;&amp;, &quot;]]&gt;&quot;)");
	check_xml("a\n\0\x1b\x7f'", 6, "a" REPLACED REPLACED REPLACED REPLACED "'");
	check_xml("\xc2\x85\xc3\xa9", 4, REPLACED "\xc3\xa9"); /* C1, and a letter */
	check_xml("\xffx\xe2\x82", 4, REPLACED "x" REPLACED REPLACED);
	check_xml("\xef\xbf\xbf\xef\xbf\xbe", 6, REPLACED REPLACED); /* U+FFFF, U+FFFE */
	check_xml("a\xe2\x80\xae"
		  "b\xe2\x81\xa6",
		  8, "a" REPLACED "b" REPLACED);		  /* direction */
	check_xml("\xed\xa0\x80", 3, REPLACED REPLACED REPLACED); /* a surrogate */
	check_xml("\xf0\x9f\x90\x9d", 4, "\xf0\x9f\x90\x9d");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_xml_escapes);
	tcase_add_test(tests, test_plain_text_stays);
	tcase_add_test(tests, test_control_characters);
	tcase_add_test(tests, test_invalid_utf8);
	tcase_add_test(tests, test_escapes_text_directions);
	tcase_add_test(tests, test_each_byte_into_memory);
	tcase_add_test(tests, test_cut_into_memory);
	tcase_add_test(tests, test_escaped_text_stays);
	tcase_add_test(tests, test_escapes_quotes_if_asked);
	tcase_add_test(tests, test_each_place);
	tcase_add_test(tests, test_json_escapes);
	tcase_add_test(tests, test_no_json);
}
