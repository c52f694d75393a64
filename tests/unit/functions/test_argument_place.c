// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_argument_place.c: where this machine passes arguments. */
#include "functions/argument_place.h"
#include "function_btf.h"

/* Checks the place of argument `number` of integers alone. */
static void check_place(const struct plan_read *read, uint32_t number)
{
	if (number < REGISTERS) {
		ck_assert_uint_eq(read->source, PLAN_ARG0 + number);
		ck_assert_uint_eq(read->steps, 0);
		return;
	}
	ck_assert_uint_eq(read->source, PLAN_SP);
	ck_assert_uint_eq(read->steps, 1);
	ck_assert_int_eq(read->offset[0], STACK_START + 8 * (int)(number - REGISTERS));
}

static struct plan_read place_of(struct prototype prototype, uint32_t index)
{
	struct plan_read read = { 0 };
	const char *why;

	ck_assert_int_eq(argument_place__of_parameter(&read, &prototype, index, &why), 0);
	return read;
}

static void refused_place(struct prototype prototype, uint32_t index, const char *reason)
{
	struct plan_read read = { 0 };
	const char *why = "";

	ck_assert_int_eq(argument_place__of_parameter(&read, &prototype, index, &why), -EINVAL);
	ck_assert_str_eq(why, reason);
}

START_TEST(test_twelve_arguments)
{
	struct prototype prototype =
		PROTOTYPE(s32, { "a", s32 }, { "b", u8 }, { "c", u64 }, { "d", s32 }, { "e", s64 },
			  { "f", truth }, { "g", u16 }, { "h", s32 }, { "i", s64 }, { "j", s32 },
			  { "k", pointer(0) }, { "l", s32 });

	for (uint32_t i = 0; i < ARGUMENTS_NAMED; i++) {
		struct plan_read read = { 0 }, typed = place_of(prototype, i);

		argument_place__of_number(&read, i);
		check_place(&read, i);
		check_place(&typed, i);
	}
}
END_TEST

/* The low bytes of 8 are the last on big-endian machines. */
START_TEST(test_narrow_places)
{
	struct plan_read read = { 0 }, in_register = { 0 };

	argument_place__of_number(&read, REGISTERS + 1);
	argument_place__narrow(&read, 4);
	ck_assert_int_eq(read.offset[0], STACK_START + 8 + (IS_BIG_ENDIAN ? 4 : 0));
	argument_place__narrow(&in_register, 4);
	ck_assert_int_eq(in_register.offset[0], 0);
}
END_TEST

#define BY_VALUE "a struct or a number of 16 bytes is passed by value"

START_TEST(test_structs_by_value)
{
	int pair = begin("pair", 16);
	int wide = known(btf__add_int(btf, "__int128", 16, 0));
	struct prototype prototype =
		PROTOTYPE(0, { "a", u32 }, { "b", constant(pair) }, { "c", u32 });

	ck_assert_uint_eq(place_of(prototype, 0).source, PLAN_ARG0);
	refused_place(prototype, 1, BY_VALUE);
	refused_place(prototype, 2, BY_VALUE);
	refused_place(PROTOTYPE(0, { "a", wide }), 0, BY_VALUE);
	refused_place(PROTOTYPE(0, { "a", known(btf__add_float(btf, "long double", 16)) }), 0,
		      BY_VALUE);
	refused_place(PROTOTYPE(0, { "a", array(u32, 4) }), 0, BY_VALUE);
}
END_TEST

/* Floats have registers of their own. */
START_TEST(test_floats_are_skipped)
{
	int real = known(btf__add_float(btf, "double", 8));
	struct prototype prototype =
		PROTOTYPE(0, { "a", u32 }, { "x", real }, { "y", real }, { "b", u32 });
	uint32_t id = add_prototype(0, NULL, 0);

	ck_assert_uint_eq(place_of(prototype, 0).source, PLAN_ARG0);
	ck_assert_uint_eq(place_of(prototype, 3).source, PLAN_ARG1);
	for (int i = 0; i < 9; i++)
		ck_assert_int_eq(btf__add_func_param(btf, "x", real), 0);
	for (int i = 0; i <= REGISTERS; i++)
		ck_assert_int_eq(btf__add_func_param(btf, "i", u64), 0);
	prototype.id = id;
	ck_assert_uint_eq(place_of(prototype, 9).source, PLAN_ARG0);
	refused_place(prototype, 9 + REGISTERS,
		      "some floating-point numbers before it are on the stack");
}
END_TEST

/* arm64 has a register of its own for the address of the result. */
START_TEST(test_structs_as_results)
{
	struct prototype prototype = PROTOTYPE(begin("large", 32), { "a", u32 });
	struct prototype small = PROTOTYPE(begin("small", 8), { "a", u32 });

	bool is_hidden = REGISTERS != 8;

	ck_assert_uint_eq(place_of(prototype, 0).source, is_hidden ? PLAN_ARG1 : PLAN_ARG0);
	ck_assert_uint_eq(place_of(small, 0).source, REGISTERS == 5 ? PLAN_ARG1 : PLAN_ARG0);
	small.is_user = true;
	if (REGISTERS == 6)
		refused_place(small, 0, "the function returns a struct by value");
	else
		ck_assert_uint_eq(place_of(small, 0).source, is_hidden ? PLAN_ARG1 : PLAN_ARG0);
}
END_TEST

/* A hidden argument may be before the others. */
START_TEST(test_results_of_unknown_type)
{
	int declared = known(btf__add_fwd(btf, "secret", BTF_FWD_STRUCT));
	struct prototype prototype = PROTOTYPE(declared, { "a", u32 });

	if (REGISTERS == 8)
		ck_assert_uint_eq(place_of(prototype, 0).source, PLAN_ARG0);
	else
		refused_place(prototype, 0, "the type of the result is unknown");
}
END_TEST

START_TEST(test_variable_arguments)
{
	struct prototype prototype =
		PROTOTYPE(s32, { "format", pointer(constant(letter)) }, { NULL, 0 });

	for (uint32_t i = 0; i < ARGUMENTS_NAMED; i++) {
		struct plan_read read = place_of(prototype, i);

		check_place(&read, i);
	}
}
END_TEST

START_TEST(test_invalid_types_of_parameters)
{
	struct prototype prototype = PROTOTYPE(0, { "a", 100000 }, { "b", u32 });
	struct plan_read read = { 0 };
	const char *why;

	ck_assert_int_eq(argument_place__of_parameter(&read, &prototype, 1, &why), -EBADMSG);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_twelve_arguments);
	tcase_add_test(tests, test_narrow_places);
	tcase_add_test(tests, test_structs_by_value);
	tcase_add_test(tests, test_floats_are_skipped);
	tcase_add_test(tests, test_structs_as_results);
	tcase_add_test(tests, test_results_of_unknown_type);
	tcase_add_test(tests, test_variable_arguments);
	tcase_add_test(tests, test_invalid_types_of_parameters);
}
