// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_field_path.c: reads that follow the members and pointers of a path. */
#include "functions/field_path.h"
#include "function_btf.h"

#ifdef __s390x__
#define ADDRESSES_DIFFER false
#else
#define ADDRESSES_DIFFER true
#endif

static int file, inode, name_text;

/*
 * struct inode { unsigned long i_ino; char i_name[16]; char i_open[]; };
 * struct file { struct { u32 f_flags; const unsigned char *f_name; } f_inner; struct inode
 **f_inode; struct file *f_next; char *f_buffer; u16 f_bits:3; double f_load; u8 f_id[4]; };
 */
static void add_types(void)
{
	int inner, name, open;

	begin_types();
	name_text = pointer(constant(u8));
	name = array(letter, 16);
	open = array(letter, 0);
	inode = begin("inode", 24);
	member("i_ino", u64, 0);
	member("i_name", name, 8);
	member("i_open", open, 24);
	inner = begin("inner", 16);
	member("f_flags", u32, 0);
	member("f_name", name_text, 8);
	file = begin("file", 72);
	member("f_inner", inner, 0);
	member("f_inode", (int)btf__type_cnt(btf) + 1, 16);
	member("f_next", (int)btf__type_cnt(btf) + 2, 24);
	member("f_buffer", (int)btf__type_cnt(btf) + 3, 32);
	bit_member("f_bits", u16, 40 * 8, 3);
	member("f_load", (int)btf__type_cnt(btf) + 4, 48);
	member("f_id", (int)btf__type_cnt(btf) + 6, 56);
	known(btf__add_const(btf, file)); /* members refer to the types that follow it */
	known(btf__add_ptr(btf, inode));
	known(btf__add_ptr(btf, file));
	known(btf__add_ptr(btf, letter));
	known(btf__add_float(btf, "double", 8));
	known(btf__add_array(btf, u32, known(btf__add_typedef(btf, "u8", u8)), 4));
}

static struct prototype of_file(void)
{
	return PROTOTYPE(0, { "file", pointer(file) });
}

START_TEST(test_pointers_are_steps)
{
	struct plan_read read = read_of(of_file(), FUNCTION_CALL, "file.f_inner.f_flags");

	ck_assert_uint_eq(read.source, PLAN_ARG0);
	ck_assert_uint_eq(read.steps, 1);
	ck_assert_uint_eq(read.width, 4);
	ck_assert_int_eq(read.offset[0], 0);
	ck_assert_uint_eq(read.flags, ADDRESSES_DIFFER ? PLAN_BY_PLACE : 0);
	read = read_of(of_file(), FUNCTION_CALL, "file.f_next.f_next.f_inode.i_ino");
	ck_assert_uint_eq(read.steps, 4);
	ck_assert_int_eq(read.offset[0], 24);
	ck_assert_int_eq(read.offset[1], 24);
	ck_assert_int_eq(read.offset[2], 16);
	ck_assert_int_eq(read.offset[3], 0);
	ck_assert_uint_eq(read.flags, 0);
	read = read_of(of_file(), FUNCTION_CALL, "file.f_buffer");
	ck_assert_uint_eq(read.steps, 1);
	ck_assert_uint_eq(read.width, 8);
	ck_assert_int_eq(read.offset[0], 32);
}
END_TEST

START_TEST(test_texts_behind_pointers)
{
	struct plan_read read = read_of(of_file(), FUNCTION_CALL, "file.f_next.f_inner.f_name");

	ck_assert_uint_eq(read.steps, 3);
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.bytes, types.text_bytes);
	ck_assert_int_eq(read.offset[1], 8);
	ck_assert_int_eq(read.offset[2], 0);
	ck_assert_uint_eq(read.flags, 0);
	types.text_bytes = 1000;
	read = read_of(of_file(), FUNCTION_CALL, "file.f_inner.f_name");
	ck_assert_uint_eq(read.bytes, PLAN_TEXT_BYTES);
}
END_TEST

START_TEST(test_arrays_of_characters)
{
	struct plan_read read = read_of(of_file(), FUNCTION_CALL, "file.f_inode.i_name");

	ck_assert_uint_eq(read.steps, 2);
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.bytes, 16);
	ck_assert_int_eq(read.offset[1], 8);
	read = read_of(of_file(), FUNCTION_CALL, "file.f_inode.i_open");
	ck_assert_uint_eq(read.bytes, types.text_bytes);
	ck_assert_int_eq(read.offset[1], 24);
}
END_TEST

/* The address alone says where the text of a parameter is. */
START_TEST(test_texts_of_parameters)
{
	struct prototype prototype =
		PROTOTYPE(name_text, { "name", name_text }, { "buffer", pointer(letter) });
	struct plan_read read = read_of(prototype, FUNCTION_CALL, "name");

	ck_assert_uint_eq(read.steps, 1);
	ck_assert_uint_eq(read.flags, PLAN_BY_PLACE);
	read = read_of(prototype, FUNCTION_RETURN, "result");
	ck_assert_uint_eq(read.source, PLAN_RESULT);
	ck_assert_uint_eq(read.steps, 1);
	ck_assert_uint_eq(read.flags, 0);
	read = read_of(prototype, FUNCTION_CALL, "buffer");
	ck_assert_uint_eq(read.steps, 0);
	ck_assert_uint_eq(read.width, 8);
	prototype.is_user = true;
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "name").flags, PLAN_USER);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_RETURN, "result").flags, PLAN_USER);
}
END_TEST

/* Addresses that are not known to lead to a text, and the choice of its memory. */
START_TEST(test_texts_by_choice)
{
	struct prototype prototype =
		PROTOTYPE(0, { "buffer", pointer(letter) }, { "anything", pointer(0) },
			  { "number", u64 }, { "small", s32 }, { "file", pointer(file) });
	struct prototype unknown = { 0 };
	struct plan_read read = read_of(prototype, FUNCTION_CALL, "buffer.text");

	ck_assert_uint_eq(read.steps, 1);
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.flags, ADDRESSES_DIFFER ? PLAN_BY_PLACE : 0);
	ck_assert_uint_eq(read.bytes, types.text_bytes);
	read = read_of(prototype, FUNCTION_CALL, "buffer.user_text");
	ck_assert_uint_eq(read.flags, PLAN_LAST_USER);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "anything.text").steps, 1);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "number.text").steps, 1);
	refused_path(prototype, FUNCTION_CALL, "small.text", -EINVAL,
		     "\"small\" has no members: it is no struct and no pointer to a struct");
	refused_path(
		prototype, FUNCTION_CALL, "file.text", -ENOENT,
		"struct file has no member \"text\": its members are f_inner, f_inode, f_next, "
		"f_buffer, f_bits, f_load, f_id");
	read = read_of(unknown, FUNCTION_CALL, "arg2.text");
	ck_assert_uint_eq(read.source, PLAN_ARG1);
	ck_assert_uint_eq(read.steps, 1);
	read = read_of(unknown, FUNCTION_CALL, "arg12.user_text");
	ck_assert_uint_eq(read.source, PLAN_SP);
	ck_assert_uint_eq(read.steps, 2);
	ck_assert_uint_eq(read.flags, PLAN_LAST_USER);
	refused_path(unknown, FUNCTION_RETURN, "latency.text", -EINVAL,
		     "\"latency\" has no members: its type is unknown");
	unknown.is_user = true;
	ck_assert_uint_eq(read_of(unknown, FUNCTION_CALL, "arg2.text").flags, PLAN_USER);
	ck_assert_uint_eq(read_of(unknown, FUNCTION_RETURN, "result.text").flags, PLAN_USER);
}
END_TEST

START_TEST(test_tags_of_user_memory)
{
	int text = pointer(known(btf__add_type_tag(btf, "user", constant(letter))));
	int in_user, behind;
	struct prototype prototype;

	in_user = begin("in_user", 16);
	member("text", text, 8);
	behind = pointer(known(btf__add_type_tag(btf, "user", in_user)));
	begin("holder", 24);
	member("text", text, 8);
	member("behind", behind, 16);
	prototype =
		PROTOTYPE(0, { "name", text }, { "holder", pointer((int)btf__type_cnt(btf) - 1) },
			  { "behind", behind });
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "name").flags, PLAN_USER);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "holder.text").flags, PLAN_LAST_USER);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "behind.text").flags, PLAN_USER);
	refused_path(prototype, FUNCTION_CALL, "holder.behind.text", -EINVAL,
		     "\"holder.behind.text\" is behind a pointer in user memory, which is followed "
		     "from a parameter only");
}
END_TEST

/* The stack of a user function is user memory; that of the kernel is not. */
START_TEST(test_arguments_on_stack)
{
	uint32_t id = add_prototype(0, NULL, 0);
	struct prototype prototype = { .btf = btf, .id = id };
	const char *last = REGISTERS == 8   ? "arg9.f_inner.f_name"
			   : REGISTERS == 6 ? "arg7.f_inner.f_name"
					    : "arg6.f_inner.f_name";
	struct plan_read read;

	for (int i = 0; i < REGISTERS; i++)
		ck_assert_int_eq(btf__add_func_param(btf, "i", u64), 0);
	ck_assert_int_eq(btf__add_func_param(btf, "file", (int)btf__type_cnt(btf)), 0);
	ck_assert_int_eq(btf__add_func_param(btf, "number", s32), 0);
	ck_assert_int_eq(btf__add_func_param(btf, "text", name_text), 0);
	pointer(file);
	read = read_of(prototype, FUNCTION_CALL, last);
	ck_assert_uint_eq(read.source, PLAN_SP);
	ck_assert_uint_eq(read.steps, 3);
	ck_assert_int_eq(read.offset[0], STACK_START);
	ck_assert_int_eq(read.offset[1], 8);
	ck_assert_uint_eq(read.flags, 0);
	read = read_of(prototype, FUNCTION_CALL, "number");
	ck_assert_int_eq(read.offset[0], STACK_START + 8 + (IS_BIG_ENDIAN ? 4 : 0));
	ck_assert_uint_eq(read.width, 4);
	read = read_of(prototype, FUNCTION_CALL, "text");
	ck_assert_uint_eq(read.steps, 2);
	ck_assert_int_eq(read.offset[0], STACK_START + 16);
	ck_assert_uint_eq(read.flags, PLAN_BY_PLACE);
	prototype.is_user = true;
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "number").flags, PLAN_USER);
}
END_TEST

/* A module's struct that the kernel only declares. */
START_TEST(test_declared_types_are_defined)
{
	int declared = known(btf__add_fwd(btf, "inode", BTF_FWD_STRUCT));
	struct plan_read read = read_of(PROTOTYPE(0, { "inode", pointer(declared) }), FUNCTION_CALL,
					"inode.i_name");

	ck_assert_int_eq(read.offset[0], 8);
	begin("inode", 8); /* another one */
	member("i_name", u64, 0);
	refused_path(PROTOTYPE(0, { "inode", pointer(declared) }), FUNCTION_CALL, "inode.i_name",
		     -EINVAL, "the members of struct inode are unknown: \"inode\"");
}
END_TEST

START_TEST(test_offsets_overflow)
{
	int part = begin("part", 0x20000000), holder;
	struct prototype prototype;

	member("low", u64, 0);
	member("high", u64, 0x1ffffff8);
	holder = begin("holder", 0x20000000);
	member("part", part, 0x1fffffff);
	holder = begin("outer", 0x20000000);
	member("part", holder - 1, 0x1fffffff);
	prototype = PROTOTYPE(0, { "outer", pointer(holder) });
	ck_assert_int_eq(read_of(prototype, FUNCTION_CALL, "outer.part.part.high").offset[0],
			 0x5ffffff6);
	holder = begin("circle", 0x20000000);
	member("circle", holder, 0x1fffffff);
	refused_path(
		PROTOTYPE(0, { "circle", pointer(holder) }), FUNCTION_CALL,
		"circle.circle.circle.circle.circle.circle", -EBADMSG,
		"the BTF is invalid: the type of \"circle.circle.circle.circle.circle.circle\"");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, add_types, end_types);
	tcase_add_test(tests, test_pointers_are_steps);
	tcase_add_test(tests, test_texts_behind_pointers);
	tcase_add_test(tests, test_arrays_of_characters);
	tcase_add_test(tests, test_texts_of_parameters);
	tcase_add_test(tests, test_texts_by_choice);
	tcase_add_test(tests, test_tags_of_user_memory);
	tcase_add_test(tests, test_arguments_on_stack);
	tcase_add_test(tests, test_declared_types_are_defined);
	tcase_add_test(tests, test_offsets_overflow);
}
