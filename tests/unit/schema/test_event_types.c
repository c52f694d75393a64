// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_types.c: notes of event types, in BTF made by hand. */
#include <errno.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "schema/event_types.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct btf *btf;
static int u32, first, second;

static int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static void setup(void)
{
	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	u32 = known(btf__add_int(btf, "unsigned int", 4, 0));
	first = known(btf__add_struct(btf, "first", 4));
	second = known(btf__add_struct(btf, "second", 8));
}

static void teardown(void)
{
	btf__free(btf);
}

static int add_variable(const char *name, int type)
{
	return known(btf__add_var(btf, name, BTF_VAR_STATIC, type));
}

/* static T (*const volatile NAME)[bytes] */
static int add_note(const char *name, int type, uint32_t bytes)
{
	int array = known(btf__add_array(btf, u32, type, bytes));
	int pointer = known(btf__add_ptr(btf, array));

	return add_variable(name,
			    known(btf__add_volatile(btf, known(btf__add_const(btf, pointer)))));
}

/* static T (*NAME)[bytes] */
static int add_old_note(const char *name, int type, uint32_t bytes)
{
	return add_variable(name, known(btf__add_ptr(btf, btf__add_array(btf, u32, type, bytes))));
}

static void begin_section(const char *name)
{
	known(btf__add_datasec(btf, name, 0));
}

static void put(int variable)
{
	ck_assert_int_eq(btf__add_datasec_var_info(btf, variable, 0, 8), 0);
}

static void check_types(const int *wanted, uint32_t count, uint32_t largest)
{
	uint32_t id, bytes;

	for (uint32_t i = 0; i < count; i++) {
		ck_assert_int_eq(event_types__at(btf, i, &id), 1);
		ck_assert_uint_eq(id, (uint32_t)wanted[i]);
	}
	ck_assert_int_eq(event_types__at(btf, count, &id), 0);
	ck_assert_int_eq(event_types__at(btf, UINT32_MAX, &id), 0);
	ck_assert_int_eq(event_types__largest(btf, 0, &bytes), 0);
	ck_assert_uint_eq(bytes, largest);
}

START_TEST(test_no_notes_no_types)
{
	check_types(NULL, 0, 0);
	begin_section(".rodata");
	check_types(NULL, 0, 0);
}
END_TEST

/* Other constants are beside the notes. */
START_TEST(test_notes_name_types)
{
	int constant = add_variable("peat_type_base", u32);
	int of_user = add_variable("on_exec.note", u32);
	int one = add_note("on_exec.peat_note_0", first, 4);
	int two = add_note("peat_note_7", second, 800);
	int again = add_note("on_exit.peat_note_1", first, 64);

	begin_section(".rodata");
	put(constant);
	put(one);
	put(of_user);
	put(two);
	put(again);
	check_types((int[]){ first, second, first }, 3, 800);
	ck_assert(event_types__is_first(btf, 0));
	ck_assert(event_types__is_first(btf, 1));
	ck_assert(!event_types__is_first(btf, 2));
	ck_assert(!event_types__is_first(btf, 3));
}
END_TEST

/* Stacks add their bytes to the events that have them. */
START_TEST(test_stacks_add_bytes)
{
	int stacks = known(btf__add_struct(btf, "peat_stacks", 8));
	int id, typedef_id, note, other;
	uint32_t bytes;

	id = known(btf__add_struct(btf, "stacked", 16));
	ck_assert_int_eq(btf__add_field(btf, "number", u32, 0, 0), 0);
	ck_assert_int_eq(btf__add_field(btf, "stack", stacks, 64, 0), 0);
	typedef_id = known(btf__add_typedef(btf, "stacked_t", id));
	note = add_note("peat_note_0", typedef_id, 16);
	other = add_note("peat_note_1", second, 800);
	begin_section(".rodata");
	put(note);
	put(other);
	ck_assert(event_types__has_stacks(btf, (uint32_t)id));
	ck_assert(event_types__has_stacks(btf, (uint32_t)typedef_id));
	ck_assert(!event_types__has_stacks(btf, (uint32_t)second));
	ck_assert(!event_types__has_stacks(btf, (uint32_t)stacks));
	ck_assert(!event_types__has_stacks(btf, 0));
	ck_assert(!event_types__has_stacks(btf, 100000));
	ck_assert_int_eq(event_types__largest(btf, 100, &bytes), 0);
	ck_assert_uint_eq(bytes, 800);
	ck_assert_int_eq(event_types__largest(btf, 1000, &bytes), 0);
	ck_assert_uint_eq(bytes, 1016);
}
END_TEST

/* Notes of older headers have a section of their own, also beside newer ones if linked. */
START_TEST(test_old_section)
{
	int one = add_old_note("on_exec.peat_type_0", first, 4);
	int two = add_old_note("on_exec.peat_type_1", second, 8);
	int newer = add_note("on_exit.peat_note_0", first, 64);

	begin_section(".peat.types");
	put(one);
	put(two);
	check_types((int[]){ first, second }, 2, 8);
	begin_section(".rodata");
	put(newer);
	check_types((int[]){ first, second, first }, 3, 64);
}
END_TEST

/* The name belongs to peat.bpf.h: another type of variable is an error, not skipped. */
START_TEST(test_invalid_notes)
{
	int array = known(btf__add_array(btf, u32, first, 4));
	uint32_t id, bytes;
	const int invalid[] = {
		add_variable("a.peat_note_0", u32),
		add_variable("a.peat_note_1", array),
		add_variable("a.peat_note_2", known(btf__add_ptr(btf, first))),
	};
	int valid = add_note("a.peat_note_3", first, 4);

	begin_section(".rodata");
	put(valid);
	for (size_t i = 0; i < sizeof(invalid) / sizeof(*invalid); i++) {
		put(invalid[i]);
		ck_assert_int_eq(event_types__at(btf, (uint32_t)i, &id), i ? -EBADMSG : 1);
		ck_assert_int_eq(event_types__at(btf, (uint32_t)i + 1, &id), -EBADMSG);
		ck_assert_int_eq(event_types__largest(btf, 0, &bytes), -EBADMSG);
		ck_assert(!event_types__is_first(btf, (uint32_t)i + 1));
	}
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_no_notes_no_types);
	tcase_add_test(tests, test_notes_name_types);
	tcase_add_test(tests, test_stacks_add_bytes);
	tcase_add_test(tests, test_old_section);
	tcase_add_test(tests, test_invalid_notes);
}
