// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_note.c: notes: written and read again, cut, and the counts in their lines. */
#include <errno.h>
#include <string.h>

#include "perf_data/note.h"
#include "unit/suite.h"

static struct strbuf out;
static struct tool_record rec;
static struct note note;

static void teardown(void)
{
	strbuf__free(&out);
}

/* Makes a record of a note with these bytes. */
static void make(const void *bytes, size_t count)
{
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
	ck_assert_int_eq(note__put(&out, 7, bytes, count), 0);
	ck_assert_int_eq(tool_record__parse((const uint8_t *)out.bytes, out.count, false, &rec), 0);
}

START_TEST(test_round_trip)
{
	make("abc", 3);
	ck_assert(note__read(&rec, &note));
	ck_assert_uint_eq(note.kind, 7);
	ck_assert_uint_eq(note.count, 3);
	ck_assert_mem_eq(note.bytes, "abc", 3);
	ck_assert_uint_eq(out.count % 8, 0);
	make(NULL, 0);
	ck_assert_uint_eq(out.count, NOTE_AT);
	ck_assert(note__read(&rec, &note));
	ck_assert_uint_eq(note.count, 0);
}
END_TEST

START_TEST(test_largest_note_fits)
{
	static const char bytes[NOTE_MOST + 1];

	make(bytes, NOTE_MOST);
	ck_assert(note__read(&rec, &note));
	ck_assert_uint_eq(note.count, NOTE_MOST);
	out.count = 0;
	ck_assert_int_eq(note__put(&out, 7, bytes, NOTE_MOST + 1), -E2BIG);
	ck_assert_uint_eq(out.count, 0);
}
END_TEST

/* Records of another type, cut ones, and those of perf's own EVENT_TYPE are no notes. */
START_TEST(test_other_records)
{
	make("abcdefgh", 8);
	ck_assert(note__read(&rec, &note));
	for (rec.bytes = 0; rec.bytes < NOTE_AT; rec.bytes++)
		ck_assert(!note__read(&rec, &note));
	ck_assert(note__read(&rec, &note));
	rec.type = TOOL_FEATURE;
	ck_assert(!note__read(&rec, &note));
	rec.type = TOOL_EVENT_TYPE;
	out.bytes[8]++;
	ck_assert(!note__read(&rec, &note));
}
END_TEST

/* ---- counts ---------------------------------------------------------------------------------- */

/* The first count of these lines. */
static bool read_first(const char *lines, char name[NOTE_NAME_BYTES], uint64_t *count)
{
	struct note of = { .bytes = (const uint8_t *)lines, .count = (uint32_t)strlen(lines) };
	size_t at = 0;

	return note__next_count(&of, &at, name, count);
}

static void check_count(const char *lines, const char *expected, uint64_t number)
{
	char name[NOTE_NAME_BYTES];
	uint64_t count;

	ck_assert_msg(read_first(lines, name, &count), "%s", lines);
	ck_assert_str_eq(name, expected);
	ck_assert_uint_eq(count, number);
}

START_TEST(test_reads_counts)
{
	check_count("a 0", "a", 0);
	check_count("azAZ09_ 0123456789", "azAZ09_", 123456789);
	check_count("z 18446744073709551615\n", "z", UINT64_MAX);
	check_count("\n\nno count\nyes 7\n", "yes", 7);
	check_count("z 18446744073709551616\ny 1\n", "y", 1);
	check_count("z 18446744073709551620\ny 1\n", "y", 1);
	check_count("z 99999999999999999999\ny 1\n", "y", 1);
}
END_TEST

START_TEST(test_other_lines)
{
	static const char *const lines[] = {
		"",    "\n",   "a",    "a ",   " 1",   "a  1", "a -1", "a 1 ", "a 1/", "a :1",
		"a=1", "`a 1", "{a 1", "@a 1", "[a 1", "/a 1", ":a 1", "a: 1", "a/1",  "a\n1",
	};
	char name[NOTE_NAME_BYTES];
	uint64_t count;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!read_first(lines[i], name, &count), "%s", lines[i]);
}
END_TEST

/* The name needs room for its NUL. */
START_TEST(test_long_names)
{
	char line[NOTE_NAME_BYTES + 8] = "", name[NOTE_NAME_BYTES];
	uint64_t count;

	memset(line, 'n', NOTE_NAME_BYTES - 1);
	strcpy(line + NOTE_NAME_BYTES - 1, " 5");
	ck_assert(read_first(line, name, &count));
	ck_assert_uint_eq(strlen(name), NOTE_NAME_BYTES - 1);
	ck_assert_uint_eq(count, 5);
	memset(line, 'n', NOTE_NAME_BYTES);
	strcpy(line + NOTE_NAME_BYTES, " 5");
	ck_assert(!read_first(line, name, &count));
}
END_TEST

/* The note ends where it says, whatever follows it. */
START_TEST(test_end_of_the_lines)
{
	struct note of = { .bytes = (const uint8_t *)"a 12\nb 34\nc 5", .count = 8 };
	char name[NOTE_NAME_BYTES];
	uint64_t count;
	size_t at = 0;

	ck_assert(note__next_count(&of, &at, name, &count));
	ck_assert_uint_eq(at, 5);
	ck_assert_uint_eq(count, 12);
	ck_assert(note__next_count(&of, &at, name, &count));
	ck_assert_uint_eq(count, 3);
	ck_assert(!note__next_count(&of, &at, name, &count));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_round_trip);
	tcase_add_test(tests, test_largest_note_fits);
	tcase_add_test(tests, test_other_records);
	tcase_add_test(tests, test_reads_counts);
	tcase_add_test(tests, test_other_lines);
	tcase_add_test(tests, test_long_names);
	tcase_add_test(tests, test_end_of_the_lines);
}
