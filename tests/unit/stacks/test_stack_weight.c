// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack_weight.c: weights of events: their fields, and their periods. */
#include <errno.h>

#include "stacks/stack_weight.h"
#include "unit/suite.h"

static void check_weight(struct stack_weight *weight, const struct peat_event *event, int result,
			 uint64_t wanted, enum peat_field_kind unit)
{
	uint64_t value;

	ck_assert_int_eq(stack_weight__of(weight, event, &value), result);
	ck_assert_uint_eq(value, wanted);
	if (result > 0)
		ck_assert_int_eq(weight->unit, unit);
}

/* @fork has ppid, an unsigned number; the schema of a kind is a fixed one. */
static const struct peat_schema *type_with(enum peat_side_band kind, const char *field)
{
	const struct peat_schema *schema;

	for (uint32_t i = 0; (schema = peat_side_band__schema(kind, i)); i++)
		if (peat_schema__find(schema, field, NULL))
			return schema;
	ck_abort_msg("no type with %s", field);
}

START_TEST(test_weight_of_a_field)
{
	const struct peat_schema *schema = type_with(PEAT_SIDE_BAND_MMAP, "offset");
	const struct peat_field *field = peat_schema__find(schema, "offset", NULL);
	struct stack_weight weight = { .path = "offset" };
	uint64_t data[64] = { 0 };
	struct peat_event event = { .schema = schema, .data = data, .size = sizeof(data) };
	uint64_t number = 123456;

	memcpy((char *)data + field->offset, &number, field->bytes);
	check_weight(&weight, &event, 1, number, PEAT_FIELD_UNSIGNED);
	event.size = field->offset; /* the event ends before it */
	check_weight(&weight, &event, 1, 0, PEAT_FIELD_UNSIGNED);
	event.schema = NULL;
	check_weight(&weight, &event, -EINVAL, 0, 0);
	event.schema = schema;
	event.size = sizeof(data);
	check_weight(&weight, &event, 1, number, PEAT_FIELD_UNSIGNED);
}
END_TEST

START_TEST(test_no_number)
{
	const struct peat_schema *schema = type_with(PEAT_SIDE_BAND_MMAP, "filename");
	struct stack_weight weight = { .path = "filename" }, missing = { .path = "filenames" };
	uint64_t data[64] = { 0 };
	struct peat_event event = { .schema = schema, .data = data, .size = sizeof(data) };

	check_weight(&weight, &event, -EINVAL, 0, 0);
	check_weight(&weight, &event, -EINVAL, 0, 0); /* again */
	check_weight(&missing, &event, -EINVAL, 0, 0);
}
END_TEST

/* Recordings know the unit of a time by its name. */
START_TEST(test_units_by_field_name)
{
	static const struct {
		const char *name;
		enum peat_field_kind kind, unit;
	} fields[] = {
		{ "duration", PEAT_FIELD_UNSIGNED, PEAT_FIELD_DURATION },
		{ "delay", PEAT_FIELD_SIGNED, PEAT_FIELD_DURATION },
		{ "wait_ns", PEAT_FIELD_UNSIGNED, PEAT_FIELD_DURATION },
		{ "_ns", PEAT_FIELD_UNSIGNED, PEAT_FIELD_UNSIGNED },
		{ "columns", PEAT_FIELD_UNSIGNED, PEAT_FIELD_UNSIGNED },
		{ "wait", PEAT_FIELD_DURATION, PEAT_FIELD_DURATION },
		{ "delay", PEAT_FIELD_SIZE, PEAT_FIELD_SIZE },
	};
	uint64_t data = 7;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct peat_field field = {
			.name = fields[i].name, .kind = fields[i].kind, .span = 1, .bytes = 8
		};
		const struct peat_schema *schema = type_with(PEAT_SIDE_BAND_MMAP, "offset");
		struct stack_weight weight = { .path = "x", .schema = schema, .field = &field };
		struct peat_event event = { .schema = schema, .data = &data, .size = 8 };

		check_weight(&weight, &event, 1, 7, fields[i].unit);
	}
}
END_TEST

/* A negative value is no weight. */
START_TEST(test_negative_value_has_no_weight)
{
	const struct peat_field field = { .name = "result",
					  .kind = PEAT_FIELD_SIGNED,
					  .is_signed = true,
					  .span = 1,
					  .bytes = 8 };
	const struct peat_schema *schema = type_with(PEAT_SIDE_BAND_MMAP, "offset");
	struct stack_weight weight = { .path = "x", .schema = schema, .field = &field };
	int64_t data = -5;
	struct peat_event event = { .schema = schema, .data = &data, .size = 8 };

	check_weight(&weight, &event, 1, 0, PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(weight.negative, 1);
}
END_TEST

START_TEST(test_weight_of_the_period)
{
	struct stack_weight any = { .path = NULL }, period = { .path = "period" };
	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE,
				   .has = PEAT_SAMPLE_PERIOD,
				   .sample.period = 4000000 };
	struct peat_event event = { .record = &rec };

	check_weight(&any, &event, 1, 4000000, PEAT_FIELD_UNSIGNED);
	check_weight(&period, &event, 1, 4000000, PEAT_FIELD_UNSIGNED);
	rec.has = 0;
	check_weight(&any, &event, 0, 0, 0);
	check_weight(&period, &event, -EINVAL, 0, 0);
	event.record = NULL;
	check_weight(&any, &event, 0, 0, 0);
	check_weight(&period, &event, -EINVAL, 0, 0);
}
END_TEST

START_TEST(test_clocks_by_event_name)
{
	ck_assert(stack_weight__is_clock("cpu-clock"));
	ck_assert(stack_weight__is_clock("task-clock"));
	ck_assert(stack_weight__is_clock("cpu-clock:u"));
	ck_assert(stack_weight__is_clock("cpu-clock/freq=99/"));
	ck_assert(!stack_weight__is_clock("cpu-clocks"));
	ck_assert(!stack_weight__is_clock("cpu"));
	ck_assert(!stack_weight__is_clock("cycles"));
	ck_assert(!stack_weight__is_clock("ref-clock"));
	ck_assert(!stack_weight__is_clock(""));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_weight_of_a_field);
	tcase_add_test(tests, test_no_number);
	tcase_add_test(tests, test_units_by_field_name);
	tcase_add_test(tests, test_negative_value_has_no_weight);
	tcase_add_test(tests, test_weight_of_the_period);
	tcase_add_test(tests, test_clocks_by_event_name);
}
