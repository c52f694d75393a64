// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_row_bars.c: tables of events, printed by the public functions: lines, bars and JSON. */
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct call {
	char name[16];
	uint64_t delay;
};

static struct peat_field call_fields[] = {
	FIELD(call, name, STRING),
	FIELD(call, delay, DURATION),
};
static const struct peat_schema call_schema = SCHEMA(call, call_fields);

static const struct call calls[] = {
	{ "read", 1000 }, { "re\x1b\"d", 5000 }, { "read", 1023 }, { "close", 9 }, { "read", 2000 },
};

static struct peat_rows *read_rows(struct peat_table_opts *opts, struct peat_table **table)
{
	struct peat_rows_opts rows_opts = PEAT_ROWS_OPTS_INIT;
	struct peat_rows *rows = peat_rows__new(&rows_opts);

	*table = peat_table__new(opts);
	ck_assert(*table && rows);
	for (size_t i = 0; i < COUNT_OF(calls); i++)
		ck_assert_int_ge(peat_table__add(*table, &EVENT(&call_schema, &calls[i])), 0);
	ck_assert_int_eq(peat_rows__read(rows, *table), 0);
	ck_assert_int_eq(peat_table__clear(*table), 0); /* the rows are copies */
	ck_assert_uint_eq(peat_rows__events(rows), 5);
	return rows;
}

static void check(char *text, const char *wanted)
{
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, wanted);
	free(text);
}

static void free_rows(struct peat_rows *rows, struct peat_table *table)
{
	peat_rows__free(rows);
	peat_table__free(table);
}

struct opened {
	char comm[16];
	char path[80];
};

static struct peat_field opened_fields[] = {
	FIELD(opened, comm, STRING),
	FIELD(opened, path, STRING),
};
static const struct peat_schema opened_schema = SCHEMA(opened, opened_fields);

/* Counts stay where keys are too long for the line. */
START_TEST(test_texts_fit_width)
{
	static const struct opened event = {
		"a long name 123", "/usr/share/perl/5.36.0/unicore/lib/Perl/_PerlIDS.pl"
	};
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_rows *rows = peat_rows__new(NULL);
	struct peat_table *table;

	opts.by = "comm,path";
	table = peat_table__new(&opts);
	ck_assert(table && rows);
	ck_assert_int_ge(peat_table__add(table, &EVENT(&opened_schema, &event)), 0);
	ck_assert_int_eq(peat_rows__read(rows, table), 0);
	peat_rows__set_width(rows, 40);
	check(peat_rows__text(rows, 1), "COMM             PATH              COUNT\n"
					"a long name 123  …erl/_PerlIDS.pl      1\n");
	peat_rows__set_width(rows, 30);
	check(peat_rows__text(rows, 1), "COMM        PATH         COUNT\n"
					"a long na…  …PerlIDS.pl      1\n");
	peat_rows__set_width(rows, 10);
	check(peat_rows__text(rows, 1), "COMM     …\na long … …\n");
	peat_rows__set_width(rows, 0);
	check(peat_rows__text(rows, 1),
	      "COMM             PATH                                                 COUNT\n"
	      "a long name 123  /usr/share/perl/5.36.0/unicore/lib/Perl/_PerlIDS.pl      1\n");
	free_rows(rows, table);
}
END_TEST

START_TEST(test_lines_of_table)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_table *table;
	struct peat_rows *rows;

	opts.by = "name";
	opts.max_rows = 2;
	rows = read_rows(&opts, &table);
	ck_assert_uint_eq(peat_rows__count(rows), 3);
	ck_assert(!peat_rows__have_bars(rows));
	ck_assert(peat_rows__is_others(rows, 2) && !peat_rows__is_others(rows, 1));
	check(peat_rows__text(rows, 9), "NAME      COUNT\n"
					"read          3\n"
					"re\\x1b\"d      1\n"
					"others        1\n");
	peat_rows__sort(rows, peat_rows__find(rows, "count"), true);
	check(peat_rows__json(rows, 0, false), "{\"name\":\"re\\u001b\\\"d\",\"count\":1}");
	check(peat_rows__json(rows, 2, false), "{\"others\":true,\"name\":null,\"count\":1}");
	errno = 0;
	ck_assert_ptr_null(peat_rows__json(rows, 3, false));
	ck_assert_int_eq(errno, EINVAL);
	free_rows(rows, table);
}
END_TEST

#define FULL "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"

START_TEST(test_bars_of_rows)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_table *table;
	struct peat_rows *rows;

	opts.by = "name";
	opts.field = "delay";
	opts.values = PEAT_TABLE_LOG2;
	rows = read_rows(&opts, &table);
	ck_assert(peat_rows__have_bars(rows));
	check(peat_rows__bars(rows, 2),
	      "name=read\n"
	      "[512ns, 1.024us)            2 " FULL
	      "[1.024us, 2.048us)          1 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	      "\nname=close\n"
	      "[8ns, 16ns)               1 " FULL);
	check(peat_rows__json(rows, 0, true),
	      "{\"name\":\"read\",\"count\":3,\"slots\":[{\"min\":512,\"max\":1023,\"count\":2},"
	      "{\"min\":1024,\"max\":2047,\"count\":1}]}");
	peat_rows__hide_arrays(rows);
	free_rows(rows, table);
}
END_TEST

START_TEST(test_linear_bars)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_table *table;
	struct peat_rows *rows;

	opts.field = "delay";
	opts.values = PEAT_TABLE_LINEAR;
	opts.linear_width = 4000;
	rows = read_rows(&opts, &table);
	check(peat_rows__bars(rows, 1),
	      "(..., 4us)                4 " FULL
	      "[4us, 8us)                1 |@@@@@@@@@@                              |\n");
	free_rows(rows, table);
}
END_TEST

/* Without a key there is a row, also without events. */
START_TEST(test_no_events)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_rows *rows = peat_rows__new(NULL);
	struct peat_table *table = peat_table__new(&opts);

	check(peat_rows__text(rows, 9), "");
	ck_assert_int_eq(peat_table__add_type(table, &call_schema), 1);
	ck_assert_int_eq(peat_rows__read(rows, table), 0);
	check(peat_rows__text(rows, 9), "COUNT\n    0\n");
	free_rows(rows, table);
	peat_rows__free(NULL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_lines_of_table);
	tcase_add_test(tests, test_texts_fit_width);
	tcase_add_test(tests, test_bars_of_rows);
	tcase_add_test(tests, test_linear_bars);
	tcase_add_test(tests, test_no_events);
}
