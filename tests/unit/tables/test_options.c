// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_options.c: options of a table: mistakes, and copies. */
#include "tables/options.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

START_TEST(test_mistakes_name_remedy)
{
	static const struct {
		struct peat_table_opts opts;
		const char *message;
	} cases[] = {
		{ { .reserved = 1 }, "reserved is not 0: set it to 0" },
		{ { .values = 128 }, "values has unknown bits: use PEAT_TABLE_*" },
		{ { .values = PEAT_TABLE_MIN }, "values are computed from a number: set field" },
		{ { .values = PEAT_TABLE_LOG2, .field = "" },
		  "values are computed from a number: set field" },
		{ { .values = PEAT_TABLE_COUNT, .field = "size" },
		  "nothing is computed from field: set values, such as PEAT_TABLE_SUM" },
		{ { .values = PEAT_TABLE_LOG2 | PEAT_TABLE_LINEAR, .field = "size" },
		  "LOG2 and LINEAR exclude each other: make two tables" },
		{ { .values = PEAT_TABLE_LINEAR, .field = "size" },
		  "linear_width is 0: set it to the width of a slot" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct peat_table_opts opts = cases[i].opts, ours;
		char message[128];

		opts.sz = sizeof(opts);
		watch_messages();
		ck_assert_int_eq(table_options__read(&ours, &opts), -EINVAL);
		snprintf(message, sizeof(message), "peat_table_opts: %s\n", cases[i].message);
		ck_assert_str_eq(messages, message);
	}
}
END_TEST

START_TEST(test_copies_strings)
{
	char by[] = "comm", field[] = "size", sort[] = "sum";
	struct peat_table_opts ours, opts = { .sz = sizeof(opts), .values = PEAT_TABLE_SUM };

	opts.by = by;
	opts.field = field;
	opts.sort = sort;
	ck_assert_int_eq(table_options__read(&ours, &opts), 0);
	by[0] = field[0] = sort[0] = '?';
	ck_assert_str_eq(ours.by, "comm");
	ck_assert_str_eq(ours.field, "size");
	ck_assert_str_eq(ours.sort, "sum");
	ck_assert_uint_eq(ours.values, PEAT_TABLE_SUM | PEAT_TABLE_COUNT);
	table_options__free(&ours);
	ck_assert_ptr_null(ours.by);
}
END_TEST

/* NULL, and empty strings, are defaults. */
START_TEST(test_defaults_of_options)
{
	struct peat_table_opts ours,
		opts = { .sz = sizeof(opts), .by = "", .field = "", .sort = "" };

	ck_assert_int_eq(table_options__read(&ours, NULL), 0);
	ck_assert_uint_eq(ours.values, PEAT_TABLE_COUNT);
	ck_assert_int_eq(table_options__read(&ours, &opts), 0);
	ck_assert_ptr_null(ours.by);
	ck_assert_ptr_null(ours.field);
	ck_assert_ptr_null(ours.sort);
	opts.sz = 0;
	ck_assert_int_eq(table_options__read(&ours, &opts), -EINVAL);
}
END_TEST

START_TEST(test_no_memory)
{
	struct peat_table_opts ours, opts = { .sz = sizeof(opts),
					      .by = "comm",
					      .field = "size",
					      .values = PEAT_TABLE_SUM,
					      .sort = "sum" };
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = table_options__read(&ours, &opts);
		if (!fail_alloc__end()) {
			ck_assert_int_eq(err, 0);
			break;
		}
		ck_assert_int_eq(err, -ENOMEM);
	}
	table_options__free(&ours);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_mistakes_name_remedy);
	tcase_add_test(tests, test_copies_strings);
	tcase_add_test(tests, test_defaults_of_options);
	tcase_add_test(tests, test_no_memory);
}
