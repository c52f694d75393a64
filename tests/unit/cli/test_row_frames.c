// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_row_frames.c: the stacks of rows, kept by number, as text and JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/lines.h"
#include "cli/row_frames.h"
#include "unit/suite.h"

struct line {
	uint64_t stack, count;
};

static const struct peat_field fields[] = {
	{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .bytes = 8 },
	{ .name = "count",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .offset = offsetof(struct line, count),
	  .bytes = 8 },
};

static const struct peat_stack_frame read_frames[] = {
	{ .symbol = "re\nad", .offset = 16, .module = "/usr/lib/libc.so.6", .address = 0x7f10 },
	{ .symbol = "help", .inlined = true, .module = "/bin/a", .address = 0x4010 },
	{ .symbol = "main", .module = "/bin/a", .address = 0x4010 },
	{ .module = "/bin/", .module_offset = 0x20, .address = 0x5000 },
	{ .address = 0x6000 },
};

static struct kept_stacks kept;

static void teardown(void)
{
	kept_stacks__free(&kept);
	kept = (struct kept_stacks){ 0 };
}

static uint64_t number(const struct peat_stack_frame *frames, size_t count)
{
	uint64_t number = 99;

	ck_assert_int_eq(kept_stacks__number(&kept, frames, count, &number), 0);
	return number;
}

static struct rows rows_of(struct row *places, const struct line *lines, size_t count)
{
	struct rows rows = { .columns = { &fields[0], &fields[1] },
			     .column_count = 2,
			     .keys = 1,
			     .rows = places,
			     .count = count,
			     .stacks = &kept };

	for (size_t i = 0; i < count; i++)
		places[i] = (struct row){ .data = (void *)&lines[i], .bytes = sizeof(lines[i]) };
	return rows;
}

/* Equal stacks have one number, wherever their texts and addresses are. */
START_TEST(test_equal_stacks_share_numbers)
{
	struct peat_stack_frame other[5];
	char symbol[] = "main";

	memcpy(other, read_frames, sizeof(other));
	ck_assert_uint_eq(number(read_frames, 5), 0);
	ck_assert_uint_eq(number(read_frames, 4), 1);
	ck_assert_uint_eq(number(NULL, 0), 2);
	other[0].address += 0x1000;
	other[2].symbol = symbol;
	other[3].address += 0x1000;
	ck_assert_uint_eq(number(other, 5), 0);
	other[2].offset = 1;
	ck_assert_uint_eq(number(other, 5), 3);
	other[2].offset = 0;
	other[2].module = "/bin/b";
	ck_assert_uint_eq(number(other, 5), 4);
	other[2].module = "/bin/a";
	other[4].address++;
	ck_assert_uint_eq(number(other, 5), 5);
	for (uint64_t i = 0; i < 200; i++) {
		other[4].address = 0x10000 + i;
		ck_assert_uint_eq(number(other, 5), 6 + i);
	}
	ck_assert_uint_eq(number(NULL, 0), 2);
}
END_TEST

/* The rows of an interval are printed while the next one is counted. */
START_TEST(test_intervals_keep_last_stacks)
{
	number(read_frames, 5);
	ck_assert_ptr_null(kept_stacks__find(&kept, 0));
	kept_stacks__end_interval(&kept);
	ck_assert_uint_eq(number(read_frames, 1), 0);
	ck_assert_uint_eq(kept_stacks__find(&kept, 0)->count, 5);
	ck_assert_ptr_null(kept_stacks__find(&kept, 1));
	kept_stacks__end_interval(&kept);
	ck_assert_uint_eq(kept_stacks__find(&kept, 0)->count, 1);
	kept_stacks__end_interval(&kept);
	ck_assert_ptr_null(kept_stacks__find(&kept, 0));
}
END_TEST

START_TEST(test_prints_frames_as_text)
{
	struct row places[1];
	struct line line = { number(read_frames, 5), 7 };
	struct rows rows = rows_of(places, &line, 1);
	struct lines lines;

	kept_stacks__end_interval(&kept);
	ck_assert_int_eq(lines__make(&lines, &rows, 10), 0);
	ck_assert_uint_eq(lines.count, 7);
	ck_assert_str_eq(lines.lines[0], "  COUNT");
	ck_assert_str_eq(lines.lines[1], "      7");
	ck_assert_str_eq(lines.lines[2], "        re\\nad+0x10 (libc.so.6)");
	ck_assert_str_eq(lines.lines[3], "        help (inlined)");
	ck_assert_str_eq(lines.lines[4], "        main (a)");
	ck_assert_str_eq(lines.lines[5], "        0x5000 (/bin/+0x20)");
	ck_assert_str_eq(lines.lines[6], "        0x6000");
	lines__free(&lines);
}
END_TEST

START_TEST(test_prints_frames_as_json)
{
	struct line made[] = { { number(read_frames, 3), 7 }, { number(NULL, 0), 1 } };
	struct row places[2];
	struct rows rows = rows_of(places, made, 2);
	char *text;

	kept_stacks__end_interval(&kept);
	text = rows__json(&rows, 0, 0);
	ck_assert_str_eq(
		text,
		"[{\"symbol\":\"re\\u000aad\",\"offset\":16,\"module\":\"/usr/lib/libc.so.6\","
		"\"address\":\"0x7f10\"},"
		"{\"symbol\":\"help\",\"module\":\"/bin/a\",\"address\":\"0x4010\"},"
		"{\"symbol\":\"main\",\"offset\":0,\"module\":\"/bin/a\","
		"\"address\":\"0x4010\"}]");
	free(text);
	text = rows__json(&rows, 1, 0);
	ck_assert_str_eq(text, "[]");
	free(text);
}
END_TEST

/* Without names of its own, a table of a map has ids, which stay in their column. */
START_TEST(test_columns_have_frames)
{
	struct line line = { 0, 1 };
	struct row places[1];
	struct rows rows = rows_of(places, &line, 1);

	ck_assert(row_frames__has(&rows, 0));
	ck_assert(!row_frames__has(&rows, 1));
	rows.stacks = NULL;
	ck_assert(!row_frames__has(&rows, 0));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_equal_stacks_share_numbers);
	tcase_add_test(tests, test_intervals_keep_last_stacks);
	tcase_add_test(tests, test_prints_frames_as_text);
	tcase_add_test(tests, test_prints_frames_as_json);
	tcase_add_test(tests, test_columns_have_frames);
}
