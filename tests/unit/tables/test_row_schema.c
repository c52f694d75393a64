// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_row_schema.c: the columns of rows: names, kinds, places. */
#include "tables/row_schema.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct call {
	uint32_t count, count_, min;
	int32_t state;
	uint64_t delay;
	uint32_t stack;
};

static const struct peat_name states[] = { { 0, "IDLE" }, { 1, "BUSY" } };

static struct peat_field call_fields[] = {
	FIELD(call, count, UNSIGNED),
	FIELD(call, count_, UNSIGNED),
	FIELD(call, min, UNSIGNED),
	FIELD(call, state, ENUM, .is_signed = true, .names = states, .name_count = 2),
	FIELD(call, delay, DURATION),
	FIELD(call, stack, KSTACK, .is_signed = true),
};
static struct peat_schema call_schema = SCHEMA(call, call_fields);

#define ALL                                                                                        \
	(PEAT_TABLE_COUNT | PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN | PEAT_TABLE_MAX)

static struct table_types types;
static struct table_numbers numbers;

static struct peat_schema *make(const char *by, const char *field, uint32_t values)
{
	struct peat_schema *schema;

	watch_messages();
	ck_assert_int_eq(table_types__init(&types, by, field), 0);
	ck_assert_int_eq(table_types__add(&types, &call_schema)->result, 1);
	numbers = (struct table_numbers){ .values = values,
					  .is_signed = types.value.field.is_signed };
	ck_assert_int_eq(row_schema__new(&types, &numbers, &schema), 0);
	table_types__free(&types);
	return schema;
}

/* The names of the columns. */
static const char *names_of(struct peat_schema *schema)
{
	static char text[256];
	const struct peat_field *field = schema->fields, *end = field + schema->count;
	size_t used = 0;

	for (; field < end; field += field->span)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s ", field->name);
	peat_schema__free(schema);
	return text;
}

START_TEST(test_names_of_columns)
{
	ck_assert_str_eq(names_of(make("delay,pid", NULL, PEAT_TABLE_COUNT)), "delay pid count ");
	ck_assert_str_eq(names_of(make("pid", "delay", ALL)), "pid count sum average min max ");
	ck_assert_str_eq(names_of(make("pid", "delay", PEAT_TABLE_LOG2)), "pid count slots ");
	ck_assert_str_eq(names_of(make("pid", "state", PEAT_TABLE_LOG2)),
			 "pid count negative slots ");
	ck_assert_str_eq(names_of(make("pid", "state", PEAT_TABLE_LINEAR)), "pid count slots ");
}
END_TEST

/* A key that is named as a value is renamed, to a name that no other key has. */
START_TEST(test_keys_are_renamed)
{
	ck_assert_str_eq(names_of(make("count,min", NULL, PEAT_TABLE_COUNT)), "count_ min_ count ");
	ck_assert_str_eq(names_of(make("count,count_", NULL, PEAT_TABLE_COUNT)),
			 "count__ count_ count ");
}
END_TEST

static const struct peat_field *column(const struct peat_schema *schema, const char *name)
{
	const struct peat_field *field = peat_schema__find(schema, name, NULL);

	ck_assert_ptr_nonnull(field);
	ck_assert_uint_eq(field->bytes, 8);
	ck_assert_ptr_eq(field->schema, schema);
	return field;
}

/* An unknown CPU is no CPU -1. */
START_TEST(test_unknown_numbers)
{
	struct peat_schema *schema = make("cpu,state", "delay", ALL);
	const int64_t row[8] = { -1, -1, -1 };
	char text[16];

	peat_field__text(column(schema, "cpu"), row, sizeof(row), text, sizeof(text));
	ck_assert_str_eq(text, "-");
	peat_field__json(column(schema, "cpu"), row, sizeof(row), text, sizeof(text));
	ck_assert_str_eq(text, "null");
	peat_field__text(column(schema, "state"), row, sizeof(row), text, sizeof(text));
	ck_assert_str_ne(text, "-");
	peat_schema__free(schema);
}
END_TEST

/* The average of numbers without a unit has a fraction. */
START_TEST(test_kind_of_average)
{
	struct peat_schema *schema = make("pid", "state", ALL);

	ck_assert_int_eq(column(schema, "average")->kind, PEAT_FIELD_FLOAT);
	peat_schema__free(schema);
}
END_TEST

/* Sums of durations are durations; the smallest state is a state, but the sum of states is none. */
START_TEST(test_kinds_of_columns)
{
	struct peat_schema *schema = make("state", "delay", ALL);

	ck_assert_int_eq(column(schema, "state")->kind, PEAT_FIELD_ENUM);
	ck_assert_int_eq(column(schema, "count")->kind, PEAT_FIELD_UNSIGNED);
	ck_assert_int_eq(column(schema, "sum")->kind, PEAT_FIELD_DURATION);
	ck_assert_int_eq(column(schema, "average")->kind, PEAT_FIELD_DURATION);
	ck_assert_int_eq(column(schema, "min")->kind, PEAT_FIELD_DURATION);
	ck_assert_uint_eq(schema->bytes, 8 + 5 * 8);
	peat_schema__free(schema);
	schema = make("state", "state", ALL);
	ck_assert_int_eq(column(schema, "sum")->kind, PEAT_FIELD_SIGNED);
	ck_assert(column(schema, "sum")->is_signed);
	ck_assert_int_eq(column(schema, "max")->kind, PEAT_FIELD_ENUM);
	ck_assert_uint_eq(column(schema, "max")->name_count, 2);
	ck_assert_str_eq(column(schema, "max")->names[1].name, "BUSY");
	ck_assert_ptr_ne(column(schema, "state")->names, states);
	ck_assert_str_eq(column(schema, "state")->names[0].name, "IDLE");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_slots_are_an_array)
{
	struct peat_schema *schema = make("pid", "delay", PEAT_TABLE_LOG2);
	const struct peat_field *slots = peat_schema__find(schema, "slots", NULL);

	ck_assert_int_eq(slots->kind, PEAT_FIELD_ARRAY);
	ck_assert_uint_eq(slots->count, PEAT_TABLE_SLOTS);
	ck_assert_uint_eq(slots->bytes, 8 * PEAT_TABLE_SLOTS);
	ck_assert_uint_eq(slots->span, 2);
	ck_assert_uint_eq(slots[1].bytes, 8);
	ck_assert_uint_eq(slots->offset + slots->bytes, schema->bytes);
	peat_schema__free(schema);
}
END_TEST

/* Stacks are read from the map of the events. */
START_TEST(test_stacks_of_a_map)
{
	struct peat_schema *schema;

	call_fields[5].schema = &call_schema;
	call_schema.stacks_fd = 77;
	call_schema.stack_max = 20;
	schema = make("stack", NULL, PEAT_TABLE_COUNT);
	ck_assert_int_eq(schema->stacks_fd, 77);
	ck_assert_uint_eq(schema->stack_max, 20);
	peat_schema__free(schema);
	schema = make("pid", NULL, PEAT_TABLE_COUNT);
	ck_assert_int_eq(schema->stacks_fd, -1);
	peat_schema__free(schema);
}
END_TEST

static int check(const char *name)
{
	int err;

	watch_messages();
	ck_assert_int_eq(table_types__init(&types, "count,from.port", "delay"), 0);
	numbers.values = PEAT_TABLE_COUNT | PEAT_TABLE_MAX;
	err = row_schema__check_column(&types, &numbers, name);
	ck_assert_int_eq(err, messages[0] ? -EINVAL : 0);
	table_types__free(&types);
	return err;
}

START_TEST(test_check_column)
{
	ck_assert_int_eq(check("count"), 0);
	ck_assert_int_eq(check("count_"), 0);
	ck_assert_int_eq(check("max"), 0);
	ck_assert_int_eq(check("from.port"), 0);
	ck_assert_int_eq(check("sum"), -EINVAL);
	ck_assert_str_eq(messages, "cannot sort a table by 'sum': it has no such value: add it to "
				   "peat_table_opts.values\n");
	ck_assert_int_eq(check("slots"), -EINVAL);
	ck_assert_str_eq(messages, "cannot sort a table by 'slots': it is no field of the key, and "
				   "no value\n");
}
END_TEST

START_TEST(test_no_memory)
{
	long blocks = fail_alloc__blocks();
	struct peat_schema *schema = NULL;

	peat_set_print(NULL);
	ck_assert_int_eq(table_types__init(&types, "state,count", "state"), 0);
	ck_assert_int_eq(table_types__add(&types, &call_schema)->result, 1);
	numbers = (struct table_numbers){ .values = ALL | PEAT_TABLE_LOG2, .is_signed = true };
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = row_schema__new(&types, &numbers, &schema);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	peat_schema__free(schema);
	table_types__free(&types);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_names_of_columns);
	tcase_add_test(tests, test_keys_are_renamed);
	tcase_add_test(tests, test_unknown_numbers);
	tcase_add_test(tests, test_kind_of_average);
	tcase_add_test(tests, test_kinds_of_columns);
	tcase_add_test(tests, test_slots_are_an_array);
	tcase_add_test(tests, test_stacks_of_a_map);
	tcase_add_test(tests, test_check_column);
	tcase_add_test(tests, test_no_memory);
}
