// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_columns.c: fields of several types in one column. */
#include "tables/columns.h"
#include "unit/no_fields.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

static const struct peat_name one_name[] = { { 1, "ONE" } };
static const struct peat_name other_name[] = { { 1, "FIRST" } };

static struct peat_field kind(enum peat_field_kind kind, uint32_t bytes, bool is_signed)
{
	return (struct peat_field){
		.name = "f", .kind = kind, .span = 1, .bytes = bytes, .is_signed = is_signed
	};
}

/* Merges two fields into one column.  The result of the second. */
static int merge(const struct peat_field *a, const struct peat_field *b, bool fixed,
		 struct table_column *column)
{
	static char path[] = "f";
	const struct peat_schema schema = { .name = "other", .fields = no_fields };
	struct table_field field = { .operand = TABLE_FIELD, .field = a };

	watch_messages();
	*column = (struct table_column){ .path = path };
	ck_assert_int_eq(table_column__merge(column, &field, &schema, false), 0);
	field.field = b;
	return table_column__merge(column, &field, &schema, fixed);
}

START_TEST(test_widens_numbers)
{
	static const struct {
		uint32_t a_bytes, b_bytes;
		bool a_signed, b_signed, fixed;
		int result; /* 1: signed, 0: unsigned, or an errno */
	} cases[] = {
		{ 4, 8, false, false, false, 0 },      { 4, 2, true, true, false, 1 },
		{ 4, 4, false, true, false, 1 },       { 4, 4, true, false, false, 1 },
		{ 8, 4, false, true, false, -EINVAL }, { 4, 8, true, false, false, -EINVAL },
		{ 4, 4, false, true, true, -EINVAL },  { 4, 4, true, false, true, 1 },
		{ 8, 8, true, true, true, 1 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct peat_field a = kind(PEAT_FIELD_UNSIGNED + cases[i].a_signed,
					   cases[i].a_bytes, cases[i].a_signed);
		struct peat_field b = kind(PEAT_FIELD_UNSIGNED + cases[i].b_signed,
					   cases[i].b_bytes, cases[i].b_signed);
		struct table_column column;
		int result = merge(&a, &b, cases[i].fixed, &column);

		ck_assert_int_eq(result ? result : column.field.is_signed, cases[i].result);
		if (!result)
			ck_assert_int_eq(column.field.kind,
					 PEAT_FIELD_UNSIGNED + column.field.is_signed);
		ck_assert_uint_eq(column.field.bytes, 8);
	}
}
END_TEST

START_TEST(test_keeps_kind)
{
	struct peat_field a = kind(PEAT_FIELD_DURATION, 4, false);
	struct peat_field b = kind(PEAT_FIELD_DURATION, 8, true);
	struct table_column column;

	ck_assert_int_eq(merge(&a, &b, false, &column), 0);
	ck_assert_int_eq(column.field.kind, PEAT_FIELD_DURATION);
	ck_assert(column.field.is_signed);
	a = kind(PEAT_FIELD_STRING, 16, false);
	b = kind(PEAT_FIELD_STRING, 0, false);
	ck_assert_int_eq(merge(&a, &b, true, &column), 0);
	ck_assert(table_column__has_place(&column));
}
END_TEST

/* What all events have: pid, tid and cpu are signed, for the events that lack them. */
START_TEST(test_all_events)
{
	static const char *const names[] = { "pid", "tid", "cpu", "comm", "type" };

	for (uint32_t i = 0; i < COUNT_OF(names); i++) {
		struct table_column column = { .path = (char *)names[i] };
		struct table_field field;

		ck_assert(table_column__find(names[i], NULL, &field));
		ck_assert_int_eq(table_column__merge(&column, &field, NULL, false), 0);
		ck_assert_int_eq(column.field.kind, i < 3 ? PEAT_FIELD_SIGNED : PEAT_FIELD_STRING);
		ck_assert_int_eq(column.field.is_signed, i < 3);
		ck_assert_int_eq(table_column__has_place(&column), i >= 3);
	}
}
END_TEST

START_TEST(test_bit_fields)
{
	struct peat_field a = kind(PEAT_FIELD_UNSIGNED, 8, false);
	struct peat_field b = kind(PEAT_FIELD_SIGNED, 4, true);
	struct table_column column;

	a.bits = 20;
	ck_assert_int_eq(merge(&a, &b, false, &column), 0);
	ck_assert(column.field.is_signed);
}
END_TEST

START_TEST(test_refuses_other_kinds)
{
	struct peat_field a = kind(PEAT_FIELD_DURATION, 8, false);
	struct peat_field b = kind(PEAT_FIELD_UNSIGNED, 8, false);
	struct table_column column;

	ck_assert_int_eq(merge(&a, &b, false, &column), -EINVAL);
	ck_assert_str_eq(messages, "a table by 'f': the one of other is of another kind: make a "
				   "table for each type\n");
	a = kind(PEAT_FIELD_ENUM, 4, false);
	a.names = one_name;
	a.name_count = 1;
	b = a;
	b.bytes = 1;
	ck_assert_int_eq(merge(&a, &b, false, &column), 0);
	b.names = other_name;
	ck_assert_int_eq(merge(&a, &b, false, &column), -EINVAL);
	ck_assert_ptr_nonnull(strstr(messages, "has other names for its values"));
	b.name_count = 0;
	ck_assert_int_eq(merge(&a, &b, false, &column), -EINVAL);
}
END_TEST

START_TEST(test_stacks_share_one_map)
{
	const struct peat_schema one = { .fields = no_fields, .stacks_fd = 3 },
				 other = { .fields = no_fields, .stacks_fd = 4 };
	struct peat_field a = kind(PEAT_FIELD_KSTACK, 4, true), b = a;
	struct table_column column;

	a.schema = b.schema = &one;
	ck_assert_int_eq(merge(&a, &b, false, &column), 0);
	b.schema = &other;
	ck_assert_int_eq(merge(&a, &b, false, &column), -EINVAL);
	ck_assert_ptr_nonnull(strstr(messages, "has its stacks in another map"));
}
END_TEST

/* A field of the event is found before what all events have. */
START_TEST(test_finds_own_fields_first)
{
	struct peat_field comm = kind(PEAT_FIELD_STRING, 16, false);
	const struct peat_schema schema = { .name = "exec", .count = 1, .fields = &comm };
	struct table_field field;

	comm.name = "comm";
	ck_assert(table_column__find("comm", &schema, &field));
	ck_assert_ptr_eq(field.field, &comm);
	ck_assert_int_eq(field.operand, TABLE_FIELD);
	ck_assert(table_column__find("comm", NULL, &field));
	ck_assert_int_eq(field.operand, TABLE_COMM);
	ck_assert(table_column__find("cpu", &schema, &field));
	ck_assert_int_eq(field.operand, TABLE_CPU);
	ck_assert_ptr_null(field.field);
	ck_assert(!table_column__find("time", &schema, &field));
	ck_assert_str_eq(table_column__type_name(&schema), "exec");
}
END_TEST

START_TEST(test_sampled_numbers)
{
	struct peat_schema schema = { .name = "cycles", .fields = no_fields };
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .has = PEAT_SAMPLE_ADDR };
	const struct peat_event event = { .schema = &schema, .record = &record };
	struct table_field field;
	uint64_t number;

	record.sample.addr = 0x1000;
	ck_assert(!table_column__find("addr", &schema, &field));
	schema.sampled = PEAT_SAMPLE_ADDR | PEAT_SAMPLE_PERIOD;
	ck_assert(table_column__find("period", &schema, &field));
	ck_assert(!table_column__number(&field, &event, &number));
	ck_assert(!table_column__find("weight", &schema, &field));
	ck_assert(table_column__find("addr", &schema, &field));
	ck_assert_int_eq(field.field->kind, PEAT_FIELD_HEX);
	ck_assert_int_eq(table_column__check_value("addr", &field, &schema), 0);
	ck_assert(table_column__number(&field, &event, &number));
	ck_assert_uint_eq(number, 0x1000);
}
END_TEST

START_TEST(test_checks_keys)
{
	struct peat_field one = kind(PEAT_FIELD_STRUCT, 4, false);
	const struct peat_schema schema = { .name = "exec", .fields = no_fields };
	struct table_field field = { .operand = TABLE_FIELD, .field = &one };

	watch_messages();
	ck_assert_int_eq(table_column__check_key("f", &field, &schema), -EINVAL);
	ck_assert_str_eq(messages, "a table by 'f': in exec, it is a struct: name a field in it\n");
	one.kind = PEAT_FIELD_ARRAY;
	ck_assert_int_eq(table_column__check_key("f", &field, &schema), -EINVAL);
	one.kind = PEAT_FIELD_STACK;
	watch_messages();
	ck_assert_int_eq(table_column__check_key("f", &field, &schema), -EINVAL);
	ck_assert_ptr_nonnull(strstr(messages, "it is the event's stack"));
	one.kind = PEAT_FIELD_FLOAT;
	ck_assert_int_eq(table_column__check_key("f", &field, &schema), 0);
	one.kind = PEAT_FIELD_BYTES;
	one.bytes = 3;
	ck_assert_int_eq(table_column__check_key("f", &field, &schema), 0);
	for (one.kind = 0; one.kind < PEAT_FIELD_STRUCT; one.kind++)
		if (one.kind < PEAT_FIELD_STRING || one.kind > PEAT_FIELD_BYTES)
			ck_assert_int_eq(table_column__check_key("f", &field, &schema), -EINVAL);
	one.kind = PEAT_FIELD_FLOAT;
	one.bytes = 4;
	watch_messages();
	ck_assert_int_eq(table_column__check_value("f", &field, &schema), -EINVAL);
	ck_assert_str_eq(messages, "a table of 'f': in exec, it is no integer: only events can be "
				   "counted, by it\n");
	one.kind = PEAT_FIELD_KADDR;
	ck_assert_int_eq(table_column__check_value("f", &field, &schema), 0);
	field.operand = TABLE_COMM;
	ck_assert_int_eq(table_column__check_value("comm", &field, NULL), -EINVAL);
	field.operand = TABLE_CPU;
	ck_assert_int_eq(table_column__check_value("cpu", &field, NULL), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_widens_numbers);
	tcase_add_test(tests, test_keeps_kind);
	tcase_add_test(tests, test_all_events);
	tcase_add_test(tests, test_bit_fields);
	tcase_add_test(tests, test_refuses_other_kinds);
	tcase_add_test(tests, test_stacks_share_one_map);
	tcase_add_test(tests, test_finds_own_fields_first);
	tcase_add_test(tests, test_sampled_numbers);
	tcase_add_test(tests, test_checks_keys);
}
