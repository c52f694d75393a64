// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rows.c: rows sorted by a column, and as lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/rows.h"
#include "unit/suite.h"

struct line {
	char comm[8];
	int64_t error;
	uint64_t count;
	double share;
};

static const struct peat_field fields[] = {
	{ .name = "comm", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 8 },
	{ .name = "error",
	  .kind = PEAT_FIELD_SIGNED,
	  .span = 1,
	  .offset = offsetof(struct line, error),
	  .bytes = 8,
	  .is_signed = true },
	{ .name = "count",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .offset = offsetof(struct line, count),
	  .bytes = 8 },
	{ .name = "share",
	  .kind = PEAT_FIELD_FLOAT,
	  .span = 1,
	  .offset = offsetof(struct line, share),
	  .bytes = 8 },
};

static struct line made[] = {
	{ "ls", 2, 5, 0.25 },
	{ "cat", -1, 1ULL << 63, 0.5 },
	{ "ls", -3, 5, -1 },
	{ "gr\xc3\xbc\xc3\x9f", 0, 7, 2 },
};

#define MADE (sizeof(made) / sizeof(*made))

static struct row places[MADE];

static struct peat_rows a_table(void)
{
	struct peat_rows rows = { .column_count = 4, .keys = 2, .rows = places, .count = MADE };

	for (uint32_t i = 0; i < 4; i++)
		rows.columns[i] = &fields[i];
	for (size_t i = 0; i < MADE; i++)
		places[i] = (struct row){ .data = &made[i], .bytes = sizeof(made[i]) };
	return rows;
}

/* Checks the order, as indices into `made`: "2013". */
static void check_order(const char *column, bool reversed, const char *wanted)
{
	struct peat_rows rows = a_table();
	char order[MADE + 1] = "";

	peat_rows__sort(&rows, peat_rows__find(&rows, column), reversed);
	for (size_t i = 0; i < MADE; i++)
		order[i] = (char)('0' + ((struct line *)rows.rows[i].data - made));
	ck_assert_msg(!strcmp(order, wanted), "%s: %s, not %s", column, order, wanted);
}

/* Rows where the column is equal are in the order of the key. */
START_TEST(test_sorts_by_column)
{
	check_order("comm", false, "1320");
	check_order("comm", true, "2031");
	check_order("error", false, "2130");
	check_order("error", true, "0312");
	check_order("count", false, "1320");
	check_order("count", true, "2031");
	check_order("share", false, "3102");
	check_order("nothing", false, "0123");
}
END_TEST

START_TEST(test_finds_columns_by_name)
{
	struct peat_rows rows = a_table();

	ck_assert_int_eq(peat_rows__find(&rows, "count"), 2);
	ck_assert_int_eq(peat_rows__find(&rows, "comm"), 0);
	ck_assert_int_eq(peat_rows__find(&rows, "nothing"), -ENOENT);
	ck_assert_ptr_eq(peat_rows__column(&rows, 3), &fields[3]);
	ck_assert_ptr_null(peat_rows__column(&rows, 4));
}
END_TEST

START_TEST(test_prints_lines)
{
	struct peat_rows rows = a_table();
	char *text;

	places[0].bytes = offsetof(struct line, share);
	text = peat_rows__text(&rows, 100);
	ck_assert_str_eq(text, "COMM  ERROR                COUNT  SHARE\n"
			       "ls        2                    5      -\n"
			       "cat      -1  9223372036854775808    0.5\n"
			       "ls       -3                    5     -1\n"
			       "gr\xc3\xbc\xc3\x9f      0                    7      2\n");
	free(text);
	text = peat_rows__text(&rows, 1);
	ck_assert_str_eq(text, "COMM  ERROR  COUNT  SHARE\nls        2      5      -\n");
	free(text);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_sorts_by_column);
	tcase_add_test(tests, test_finds_columns_by_name);
	tcase_add_test(tests, test_prints_lines);
}
