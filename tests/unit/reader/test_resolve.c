// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_resolve.c: fields of expressions and tables, in all types of a reader. */
#include "event/source.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct call {
	uint32_t number;
};

struct answer {
	uint32_t result;
};

static struct peat_field call_fields[] = { FIELD(call, number, UNSIGNED) };
static struct peat_field answer_fields[] = { FIELD(answer, result, UNSIGNED) };
static const struct peat_schema call_schema = SCHEMA(call, call_fields);
static const struct peat_schema answer_schema = SCHEMA(answer, answer_fields);

/* The second type is bytes. */
static const struct peat_schema *const schemas[] = { &call_schema, NULL, &answer_schema };

static uint32_t type_count;
static bool lacks_types;

static bool type_at(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	(void)reader;
	if (i >= type_count)
		return false;
	type->type = i;
	type->schema = schemas[i];
	type->name = "type";
	return true;
}

static const struct source_ops ops = { .type = type_at };

static int resolve(const char *expression, const char *by, uint32_t side_band)
{
	struct peat_where *where = expression ? peat_where__parse(expression) : NULL;
	struct peat_table *table = by ? new_table(by, NULL, 0) : NULL;
	struct peat_reader reader = { .ops = &ops, .lacks_types = lacks_types };
	int err;

	watch_messages();
	err = peat_reader__resolve(&reader, where, table, side_band);
	ck_assert(!err || errno == -err);
	peat_where__free(where);
	peat_table__free(table);
	return err;
}

static void setup(void)
{
	type_count = COUNT_OF(schemas);
}

START_TEST(test_fields_of_all_types)
{
	ck_assert_int_eq(resolve("number == 1 || result == 2", NULL, 0), 0);
	ck_assert_int_eq(resolve(NULL, "result", 0), 0);
	ck_assert_int_eq(resolve("number == 1", "result", 0), 0);
	ck_assert_int_eq(resolve(NULL, NULL, 0), 0);
	ck_assert_str_eq(messages, "");
}
END_TEST

START_TEST(test_missing_fields)
{
	ck_assert_int_eq(resolve("nubmer == 1", NULL, 0), -EINVAL);
	ck_assert_msg(strstr(messages, "did you mean \"number\"?"), "%s", messages);
	ck_assert_int_eq(resolve("number == 1", "resutl", 0), -EINVAL);
	ck_assert_msg(strstr(messages, "resutl"), "%s", messages);
	ck_assert_int_eq(resolve("number == x", NULL, 0), -EINVAL);
}
END_TEST

START_TEST(test_fields_of_side_band)
{
	ck_assert_int_eq(resolve("parent == 1 && number == 1", NULL, 0), -EINVAL);
	ck_assert_int_eq(resolve("parent == 1 && number == 1", NULL, PEAT_SIDE_BAND_TASK), 0);
	type_count = 0;
	ck_assert_int_eq(resolve("parent == 1", "parent", PEAT_SIDE_BAND_TASK), 0);
	ck_assert_int_eq(resolve("misspelt == 1", NULL, PEAT_SIDE_BAND_TASK), -EINVAL);
}
END_TEST

/* The types of a pipe arrive with its events. */
START_TEST(test_reader_without_types)
{
	type_count = 0;
	ck_assert_int_eq(resolve("misspelt == 1", "resutl", 0), 0);
	lacks_types = true;
	ck_assert_int_eq(resolve("result == 1", NULL, PEAT_SIDE_BAND_TASK), 0);
	lacks_types = false;
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_fields_of_all_types);
	tcase_add_test(tests, test_missing_fields);
	tcase_add_test(tests, test_fields_of_side_band);
	tcase_add_test(tests, test_reader_without_types);
}
