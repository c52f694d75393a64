// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_field_refusal.c: the reasons why a path cannot be a field. */
#include "function_btf.h"

static int file;

/* struct file { struct { u32 low; u32 bits:3; } f_pair; double f_load; u8 f_id[4]; }; */
static void add_types(void)
{
	int real, id, pair;

	begin_types();
	real = known(btf__add_float(btf, "double", 8));
	id = array(known(btf__add_typedef(btf, "u8", u8)), 4);
	pair = begin(NULL, 8);
	bit_member("low", u32, 0, 0);
	bit_member("bits", u32, 32, 3);
	file = begin("file", 24);
	member("f_pair", pair, 0);
	member("f_load", real, 8);
	member("f_id", id, 16);
}

static struct prototype of_file(void)
{
	return PROTOTYPE(0, { "file", pointer(file) }, { "count", u32 });
}

static void refused_of_file(const char *path, int err, const char *reason)
{
	refused_path(of_file(), FUNCTION_CALL, path, err, reason);
}

START_TEST(test_unknown_parameters)
{
	struct prototype unknown = { 0 };

	refused_of_file(
		"fiel", -ENOENT,
		"no parameter \"fiel\": did you mean \"file\"? there are file, count, caller");
	refused_of_file("bytes.x", -ENOENT,
			"no parameter \"bytes\": there are file, count, caller");
	refused_of_file("", -ENOENT, "no parameter \"\": there are file, count, caller");
	refused_of_file("arg0", -ENOENT, "no parameter arg0: the first is arg1");
	refused_of_file("arg3", -ENOENT, "no parameter arg3: the function has 2");
	refused_of_file("arg13", -ENOENT, "no parameter \"arg13\": there are file, count, caller");
	refused_of_file("arg1x", -ENOENT, "no parameter \"arg1x\": there are file, count, caller");
	refused_path(of_file(), FUNCTION_RETURN, "rseult", -ENOENT,
		     "no parameter \"rseult\": did you mean \"result\"? there are file, count, "
		     "result, latency, caller");
	refused_path(unknown, FUNCTION_CALL, "file", -ENOENT,
		     "no parameter \"file\": the parameters of the function are unknown: name them "
		     "arg1 to arg12");
}
END_TEST

START_TEST(test_fields_of_returns)
{
	refused_of_file("result", -ENOENT,
			"calls have no result: kretprobe and uretprobe trace returns");
	refused_of_file("latency", -ENOENT,
			"calls have no latency: kretprobe and uretprobe trace returns");
	refused_path(of_file(), FUNCTION_RETURN, "result", -ENOENT,
		     "no result: the function returns void");
}
END_TEST

START_TEST(test_unknown_members)
{
	refused_of_file(
		"file.f_piar", -ENOENT,
		"struct file has no member \"f_piar\": did you mean \"f_pair\"? its members "
		"are f_pair, f_load, f_id");
	refused_of_file("file.f_pair.x", -ENOENT,
			"\"file.f_pair\" has no member \"x\": its members are low, bits");
	refused_of_file("file.", -ENOENT,
			"struct file has no member \"\": its members are f_pair, f_load, f_id");
}
END_TEST

START_TEST(test_types_that_are_no_fields)
{
	refused_of_file("file.f_pair", -EINVAL,
			"\"file.f_pair\" is a struct: name a member after a dot: low, bits");
	refused_of_file("file.f_pair.bits", -EINVAL,
			"\"file.f_pair.bits\" is a bit-field, which cannot be read");
	refused_of_file("file.f_load", -EINVAL,
			"\"file.f_load\" is a floating-point number, which programs cannot read");
	refused_of_file("file.f_id", -EINVAL,
			"\"file.f_id\" is an array: only arrays of char can be read");
	refused_path(PROTOTYPE(0, { "x", known(btf__add_float(btf, "float", 4)) }), FUNCTION_CALL,
		     "x", -EINVAL, "\"x\" is a floating-point number, which programs cannot read");
	refused_path(PROTOTYPE(known(btf__add_int(btf, "__int128", 16, 0)), { "x", u32 }),
		     FUNCTION_RETURN, "result", -EINVAL,
		     "\"result\" is a number of 16 bytes: at most 8 can be read");
	refused_path(PROTOTYPE(file, { "x", u32 }), FUNCTION_RETURN, "result", -EINVAL,
		     "\"result\" is a struct by value, which is in no place that is known");
	refused_path(PROTOTYPE(file, { "x", u32 }), FUNCTION_RETURN, "result.f_load", -EINVAL,
		     "\"result\" is a struct by value, which is in no place that is known");
}
END_TEST

START_TEST(test_types_without_members)
{
	int declared = known(btf__add_fwd(btf, "secret", BTF_FWD_UNION));
	int twice = pointer(pointer(file));
	struct prototype prototype = PROTOTYPE(0, { "secret", pointer(declared) },
					       { "any", pointer(0) }, { "twice", twice });
	struct prototype unknown = { 0 };

	refused_of_file("count.x", -EINVAL,
			"\"count\" has no members: it is no struct and no pointer to a struct");
	refused_path(prototype, FUNCTION_CALL, "secret.x", -EINVAL,
		     "the members of union secret are unknown: \"secret\"");
	refused_path(prototype, FUNCTION_CALL, "any.x", -EINVAL,
		     "\"any\" has no members: it is no struct and no pointer to a struct");
	refused_path(prototype, FUNCTION_CALL, "twice.f_pair", -EINVAL,
		     "\"twice\" has no members: it is no struct and no pointer to a struct");
	refused_path(unknown, FUNCTION_CALL, "arg1.x", -EINVAL,
		     "\"arg1\" has no members: its type is unknown");
	refused_path(unknown, FUNCTION_RETURN, "latency.x", -EINVAL,
		     "\"latency\" has no members: its type is unknown");
}
END_TEST

START_TEST(test_structs_by_value)
{
	struct prototype prototype =
		PROTOTYPE(0, { "first", u32 }, { "value", file }, { "last", u32 });

	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "first").source, PLAN_ARG0);
	refused_path(
		prototype, FUNCTION_CALL, "value", -EINVAL,
		"the place of \"value\" is unknown: a struct or a number of 16 bytes is passed "
		"by value");
	refused_path(prototype, FUNCTION_CALL, "last", -EINVAL,
		     "the place of \"last\" is unknown: a struct or a number of 16 bytes is passed "
		     "by value");
	refused_path(prototype, FUNCTION_CALL, "arg3", -EINVAL,
		     "the place of \"arg3\" is unknown: a struct or a number of 16 bytes is passed "
		     "by value");
}
END_TEST

START_TEST(test_too_many_pointers)
{
	int node = begin("node", 8);
	struct prototype prototype;

	member("next", (int)btf__type_cnt(btf), 0);
	prototype = PROTOTYPE(0, { "node", pointer(node) });
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "node.next.next.next.next").steps, 4);
	refused_path(prototype, FUNCTION_CALL, "node.next.next.next.next.next", -E2BIG,
		     "\"node.next.next.next.next.next\" leads through more than 4 pointers");
}
END_TEST

START_TEST(test_invalid_types)
{
	int alias = known(btf__add_typedef(btf, "circle", (int)btf__type_cnt(btf)));
	int holder;

	refused_path(PROTOTYPE(0, { "value", alias }), FUNCTION_CALL, "value", -EBADMSG,
		     "the BTF is invalid: the type of \"value\"");
	refused_path(PROTOTYPE(0, { "value", pointer(100000) }), FUNCTION_CALL, "value", -EBADMSG,
		     "the BTF is invalid: the type of \"value\"");
	refused_path(PROTOTYPE(100000, { "value", u32 }), FUNCTION_RETURN, "result", -EBADMSG,
		     "the BTF is invalid: the type of \"result\"");
	holder = begin("holder", 8);
	member("value", 100000, 0);
	refused_path(PROTOTYPE(0, { "holder", pointer(holder) }), FUNCTION_CALL, "holder.value",
		     -EBADMSG, "the BTF is invalid: the type of \"holder.value\"");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, add_types, end_types);
	tcase_add_test(tests, test_unknown_parameters);
	tcase_add_test(tests, test_fields_of_returns);
	tcase_add_test(tests, test_unknown_members);
	tcase_add_test(tests, test_types_that_are_no_fields);
	tcase_add_test(tests, test_types_without_members);
	tcase_add_test(tests, test_structs_by_value);
	tcase_add_test(tests, test_too_many_pointers);
	tcase_add_test(tests, test_invalid_types);
}
