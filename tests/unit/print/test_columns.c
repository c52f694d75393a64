// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_columns.c: the columns that fit into a line, and their widths. */
#include "print/columns.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define COUNT 6

/* As of a table of files: PID, RESULT, CPU, FLAGS, a minor number and PATH. */
static struct column_size columns[COUNT];

static void setup(void)
{
	const struct column_size fresh[COUNT] = {
		{ .rank = COLUMN_KEPT, .gap = 1, .wanted = 7 },
		{ .rank = COLUMN_KEPT, .gap = 1, .wanted = 7 },
		{ .rank = COLUMN_CPU, .gap = 2, .wanted = 5 },
		{ .rank = COLUMN_PLAIN, .gap = 2, .wanted = 16, .narrow = COLUMNS_MIN_TEXT },
		{ .rank = COLUMN_MINOR, .gap = 1, .wanted = 9 },
		{ .rank = COLUMN_LONG_TEXT, .gap = 2, .wanted = 16, .narrow = COLUMNS_MIN_TEXT },
	};

	memcpy(columns, fresh, sizeof(fresh));
}

/* One letter for each column that is shown. */
static const char *shown(uint32_t limit)
{
	static char letters[COUNT + 1];
	size_t count = 0;

	columns__choose(columns, COUNT, limit);
	for (size_t i = 0; i < COUNT; i++)
		if (!columns[i].hidden)
			letters[count++] = "prcfmt"[i];
	letters[count] = 0;
	return letters;
}

/* At each width as many columns as fit: the minor first, then the CPU, then from the end. */
START_TEST(test_minor_columns_hide_first)
{
	ck_assert_str_eq(shown(0), "prcfmt");
	ck_assert_str_eq(shown(1000), "prcfmt");
	ck_assert_str_eq(shown(7 + 8 + 7 + 14 + 10 + 34), "prcfmt");
	ck_assert_str_eq(shown(7 + 8 + 7 + 14 + 10 + 33), "prcft");
	ck_assert_str_eq(shown(7 + 8 + 7 + 14 + 34), "prcft");
	ck_assert_str_eq(shown(7 + 8 + 7 + 14 + 33), "prft");
	ck_assert_str_eq(shown(7 + 8 + 14 + 22), "prft"); /* some of the path is enough */
	ck_assert_str_eq(shown(7 + 8 + 14 + 21), "prt");
	ck_assert_str_eq(shown(7 + 8 + 14), "prt");
	ck_assert_str_eq(shown(7 + 8 + 13), "pr");
	ck_assert_str_eq(shown(1), "pr");
	ck_assert_str_eq(shown(80), "prcfmt"); /* a wider line has them again */
}
END_TEST

/* A path is cut further before a result is left out, and both stay longer than flags. */
START_TEST(test_results_hide_late)
{
	columns[1].rank = COLUMN_SOUGHT;
	ck_assert_str_eq(shown(7 + 8 + 14 + 22), "prft");
	ck_assert_str_eq(shown(7 + 8 + 14 + 21), "prt");
	ck_assert_str_eq(shown(7 + 8 + 14), "prt");
	ck_assert_str_eq(shown(7 + 8 + 13), "pt");
	ck_assert_str_eq(shown(7 + 13), "p");
}
END_TEST

START_TEST(test_last_shown_column)
{
	ck_assert_uint_eq(columns__last(columns, COUNT), 5);
	columns[5].hidden = columns[4].hidden = true;
	ck_assert_uint_eq(columns__last(columns, COUNT), 3);
	ck_assert_uint_eq(columns__last(columns, 0), 0);
	for (size_t i = 0; i < COUNT; i++)
		columns[i].hidden = true;
	ck_assert_uint_eq(columns__last(columns, COUNT), COUNT);
	columns__lay_out(columns, COUNT, 10);
	ck_assert_uint_eq(columns[0].width, 0);
}
END_TEST

static uint32_t line_width(void)
{
	uint32_t last = columns__last(columns, COUNT), total = 0;

	for (uint32_t i = 0; i < last; i++)
		if (!columns[i].hidden)
			total += (total ? columns[i].gap : 0) + columns[i].width;
	return total;
}

/* Blanks are cut before text, and the widest text first. */
START_TEST(test_shrinking_cuts_blanks_first)
{
	columns[3].seen = columns[3].wanted = 40;
	columns[0].seen = 3;
	columns__choose(columns, COUNT, 0);
	columns__lay_out(columns, COUNT, 0);
	ck_assert_uint_eq(columns[3].width, 40);
	ck_assert_uint_eq(columns[5].width, 16);

	columns__lay_out(columns, COUNT, line_width() + 18 - 4);
	ck_assert_uint_eq(columns[3].width, 40); /* there were blanks enough */
	ck_assert_uint_lt(columns[0].width + columns[1].width + columns[4].width, 7 + 7 + 9);

	columns[1].seen = 7;
	columns[4].seen = 9;
	columns__choose(columns, COUNT, 80);
	columns__lay_out(columns, COUNT, 80);
	ck_assert_uint_lt(columns[3].width, 40);
	ck_assert_uint_ge(columns[3].width, COLUMNS_MIN_TEXT);
	ck_assert_uint_le(line_width() + columns[5].gap + 16, 80);
	ck_assert_uint_ge(columns[0].width, 3);
}
END_TEST

/* A column whose first rows are narrower than most gets the room for those. */
START_TEST(test_least_width_is_reserved)
{
	columns[1].least = 10;
	ck_assert_str_eq(shown(7 + 11 + 14 + 22), "prft");
	ck_assert_str_eq(shown(7 + 11 + 14 + 21), "prt");
	columns[1].wanted = 12;
	ck_assert_str_eq(shown(7 + 13 + 14 + 22), "prft");
	ck_assert_str_eq(shown(7 + 13 + 14 + 21), "prt");
}
END_TEST

/* A column of short names, such as COMM, shrinks further than most text. */
START_TEST(test_narrow_columns_shrink_further)
{
	columns[3].narrow = 9;
	ck_assert_str_eq(shown(7 + 8 + 11 + 22), "prft");
	ck_assert_str_eq(shown(7 + 8 + 11 + 21), "prt");
	columns[0].seen = columns[1].seen = 7;
	columns[3].seen = 16;
	columns__choose(columns, COUNT, 7 + 8 + 11 + 22);
	columns__lay_out(columns, COUNT, 7 + 8 + 11 + 2 + 16);
	ck_assert_uint_eq(columns[3].width, 9);
}
END_TEST

/* Columns that are left out take no room. */
START_TEST(test_hidden_width)
{
	ck_assert_str_eq(shown(40), "prt");
	columns__lay_out(columns, COUNT, 40);
	ck_assert_uint_eq(columns[2].width, 0);
	ck_assert_uint_eq(columns[0].width, 7);
	ck_assert_uint_eq(columns[1].width, 7);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_minor_columns_hide_first);
	tcase_add_test(tests, test_results_hide_late);
	tcase_add_test(tests, test_last_shown_column);
	tcase_add_test(tests, test_shrinking_cuts_blanks_first);
	tcase_add_test(tests, test_least_width_is_reserved);
	tcase_add_test(tests, test_narrow_columns_shrink_further);
	tcase_add_test(tests, test_hidden_width);
}
