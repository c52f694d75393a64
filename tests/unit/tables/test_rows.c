// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rows.c: rows sorted by columns of every kind. */
#include "tables/rows.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct line {
	char name[8];
	int64_t error;
	uint64_t count;
};

static struct peat_field line_fields[] = {
	FIELD(line, name, STRING),
	FIELD(line, error, ERRNO, .is_signed = true),
	FIELD(line, count, UNSIGNED),
};
static const struct peat_schema line_schema = SCHEMA(line, line_fields);

static const struct line lines[] = {
	{ "b", -2, 1 }, { "a", 5, 7 },	{ "b", -13, 7 }, { "a", -2, UINT64_MAX },
	{ "", 0, 0 },	{ "aa", 5, 7 }, { "a", 4, 7 },
};

/* The names and counts of the rows, sorted by a column. */
static const char *sorted(uint32_t keys, const char *column)
{
	static char text[256];
	struct table_rows rows = { 0 };
	struct table_order order;
	size_t used = 0;

	watch_messages();
	ck_assert_int_eq(table_order__find(&order, &line_schema, keys, column), 0);
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		void *row = table_rows__add(&rows, sizeof(*lines));

		ck_assert_ptr_nonnull(row);
		memcpy(row, &lines[i], sizeof(*lines));
	}
	table_rows__sort(&rows, &order);
	for (size_t i = 0; i < rows.count; i++) {
		const struct line *line = rows.rows[i].data;

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%d ", line->name,
					 (int)line->error);
	}
	table_rows__clear(&rows);
	ck_assert_uint_eq(rows.count, 0);
	return text;
}

/* Keys ascend, values descend, and the key decides where they are equal. */
START_TEST(test_keys_ascend_values_descend)
{
	ck_assert_str_eq(sorted(2, "count"), "a-2 a4 a5 aa5 b-13 b-2 0 ");
	ck_assert_str_eq(sorted(2, NULL), "a-2 a4 a5 aa5 b-13 b-2 0 ");
	ck_assert_str_eq(sorted(2, "name"), "0 a-2 a4 a5 aa5 b-13 b-2 ");
	ck_assert_str_eq(sorted(2, "error"), "b-13 a-2 b-2 0 a4 a5 aa5 ");
	ck_assert_str_eq(sorted(1, "error"), "a5 aa5 a4 0 a-2 b-2 b-13 ");
}
END_TEST

/* Strings that begin alike are compared as a whole, up or down. */
START_TEST(test_long_strings)
{
	static const char *const names[] = { "/usr/lib/b", "/usr/lib/a", "/usr/lib", "/usr/lib/c" };
	struct peat_field field = {
		.name = "path", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 16
	};
	const struct peat_schema schema = { .name = "row", .count = 1, .fields = &field };

	for (uint32_t keys = 0; keys < 2; keys++) {
		struct table_rows rows = { 0 };
		struct table_order order;

		ck_assert_int_eq(table_order__find(&order, &schema, keys, "path"), 0);
		for (size_t i = 0; i < COUNT_OF(names); i++)
			strncpy(table_rows__add(&rows, 16), names[i], 16);
		table_rows__sort(&rows, &order);
		ck_assert_uint_eq(rows.rows[0].index, keys ? 2 : 3);
		ck_assert_uint_eq(rows.rows[1].index, keys ? 1 : 0);
		ck_assert_uint_eq(rows.rows[2].index, keys ? 0 : 1);
		ck_assert_uint_eq(rows.rows[3].index, keys ? 3 : 2);
		table_rows__clear(&rows);
	}
}
END_TEST

/* Without a key, equal rows stay in their order. */
START_TEST(test_equal_rows_keep_order)
{
	ck_assert_str_eq(sorted(0, "count"), "a-2 a5 b-13 aa5 a4 b-2 0 ");
}
END_TEST

/* Many rows, some of them with the same number. */
START_TEST(test_many_rows_are_sorted)
{
	struct table_rows rows = { 0 };
	struct table_order order;

	ck_assert_int_eq(table_order__find(&order, &line_schema, 2, "count"), 0);
	for (uint32_t i = 0; i < 100000; i++) {
		struct line *line = table_rows__add(&rows, sizeof(*line));

		ck_assert_ptr_nonnull(line);
		*line = (struct line){ .error = i, .count = i * 2654435761u % 50021 };
	}
	table_rows__sort(&rows, &order);
	for (uint32_t i = 1; i < rows.count; i++) {
		const struct line *a = rows.rows[i - 1].data, *b = rows.rows[i].data;

		ck_assert(a->count > b->count || (a->count == b->count && a->error < b->error));
	}
	table_rows__clear(&rows);
}
END_TEST

/* Rows without the column are the least. */
START_TEST(test_short_rows)
{
	const uint32_t bytes[] = { 24, 8, 24, 12, 16 };
	static const char expected[2][6] = { "13420", "02134" };
	struct peat_field field = FIELD(line, count, UNSIGNED);
	struct table_order order = { .schema = &line_schema, .field = &field };

	field.offset = 0;
	order.base = 16;
	for (int descending = 0; descending < 2; descending++) {
		struct table_rows rows = { 0 };

		order.descending = descending;
		for (size_t i = 0; i < COUNT_OF(bytes); i++) {
			const struct line line = { .count = 9 - i };

			memcpy(table_rows__add(&rows, bytes[i]), &line, bytes[i]);
		}
		table_rows__sort(&rows, &order);
		for (size_t i = 0; i < rows.count; i++)
			ck_assert_uint_eq(rows.rows[i].index,
					  (uint32_t)(expected[descending][i] - '0'));
		table_rows__clear(&rows);
	}
}
END_TEST

START_TEST(test_no_memory)
{
	struct table_rows rows = { 0 };
	long blocks = fail_alloc__blocks();
	uint32_t count = 0;

	for (unsigned nth = 1; nth <= 2; nth++) {
		fail_alloc__begin(nth);
		count += table_rows__add(&rows, 8) != NULL;
		if (!fail_alloc__end())
			break;
	}
	ck_assert_uint_eq(rows.count, count);
	ck_assert_ptr_nonnull(table_rows__add(&rows, 8));
	table_rows__clear(&rows);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_keys_ascend_values_descend);
	tcase_add_test(tests, test_long_strings);
	tcase_add_test(tests, test_equal_rows_keep_order);
	tcase_add_test(tests, test_many_rows_are_sorted);
	tcase_add_test(tests, test_short_rows);
	tcase_add_test(tests, test_no_memory);
}
