// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_function_field.c: fields of made functions and of the running kernel's. */
#include "function_btf.h"
#include "object/kernel_btf.h"
#include "unit/fail_alloc.h"

START_TEST(test_parameters_by_number)
{
	struct prototype prototype = PROTOTYPE(0, { "a", u32 }, { "arg1", u16 }, { NULL, s64 });
	struct prototype unknown = { 0 };
	struct plan_read read = read_of(prototype, FUNCTION_CALL, "arg3");

	ck_assert_uint_eq(read.source, PLAN_ARG2);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "arg3"), PEAT_FIELD_SIGNED);
	read = read_of(prototype, FUNCTION_CALL, "arg1"); /* the name of the second */
	ck_assert_uint_eq(read.source, PLAN_ARG1);
	ck_assert_uint_eq(read.width, 2);
	read = read_of(unknown, FUNCTION_CALL, "arg2");
	ck_assert_uint_eq(read.source, PLAN_ARG1);
	ck_assert_uint_eq(read.width, 8);
	ck_assert_int_eq(kind_of(unknown, FUNCTION_CALL, "arg2"), PEAT_FIELD_HEX);
	read = read_of(unknown, FUNCTION_CALL, "arg12");
	ck_assert_uint_eq(read.source, PLAN_SP);
	ck_assert_uint_eq(read.flags, 0);
	unknown.is_user = true;
	ck_assert_uint_eq(read_of(unknown, FUNCTION_CALL, "arg12").flags, PLAN_USER);
	ck_assert_uint_eq(read_of(unknown, FUNCTION_CALL, "arg1").flags, 0);
}
END_TEST

START_TEST(test_results_and_latency)
{
	struct prototype prototype = PROTOTYPE(s32, { "result", u32 }, { "latency", u32 });
	struct prototype wide = PROTOTYPE(s64, { "a", u32 }),
			 small = PROTOTYPE(truth, { "a", u32 });
	struct prototype unknown = { 0 };
	struct plan_read read = read_of(prototype, FUNCTION_RETURN, "result");

	ck_assert_uint_eq(read.source, PLAN_RESULT);
	ck_assert_uint_eq(read.width, 4);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "result").source, PLAN_ARG0);
	read = read_of(prototype, FUNCTION_RETURN, "latency");
	ck_assert_uint_eq(read.source, PLAN_LATENCY);
	ck_assert_uint_eq(read.width, 8);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_RETURN, "latency"), PEAT_FIELD_DURATION);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_RETURN, "result"), PEAT_FIELD_ERRNO);
	ck_assert_int_eq(kind_of(wide, FUNCTION_RETURN, "result"), PEAT_FIELD_ERRNO);
	ck_assert_int_eq(kind_of(small, FUNCTION_RETURN, "result"), PEAT_FIELD_BOOL);
	ck_assert_int_eq(kind_of(unknown, FUNCTION_RETURN, "result"), PEAT_FIELD_SIGNED);
	prototype.is_user = true; /* -1 of a program is no EPERM */
	ck_assert_int_eq(kind_of(prototype, FUNCTION_RETURN, "result"), PEAT_FIELD_SIGNED);
}
END_TEST

START_TEST(test_callers_of_functions)
{
	struct prototype prototype = PROTOTYPE(0, { "a", u32 });
	struct prototype named = PROTOTYPE(0, { "a", u32 }, { "caller", u64 });

	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "caller").source, PLAN_CALLER);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_RETURN, "caller"), PEAT_FIELD_KADDR);
	ck_assert_uint_eq(read_of(named, FUNCTION_CALL, "caller").source, PLAN_ARG1);
	prototype.is_user = true;
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "caller"), PEAT_FIELD_HEX);
}
END_TEST

/* Joins the paths of all fields, and frees the fields. */
static const char *all_paths(struct prototype prototype, enum function_moment moment)
{
	static char paths[256];
	struct function_field fields[PLAN_READS] = { 0 };
	int count = function_field__make_all(fields, &types, &prototype, moment);

	*paths = '\0';
	ck_assert_int_ge(count, 0);
	for (int i = 0; i < count; i++) {
		strcat(strcat(paths, fields[i].path), " ");
		function_field__free(&fields[i]);
	}
	return paths;
}

START_TEST(test_all_fields)
{
	struct prototype unknown = { 0 };
	struct prototype many =
		PROTOTYPE(s32, { "a", u32 }, { NULL, u32 }, { "c", u32 }, { "d.e", u32 },
			  { "c", u32 }, { "f", u32 }, { "g", u32 }, { "h", u32 }, { "i", u32 });
	struct prototype value =
		PROTOTYPE(0, { "a", u32 }, { "value", begin("value", 8) }, { "last", u32 });

	ck_assert_str_eq(all_paths(many, FUNCTION_CALL), "a arg2 c arg4 arg5 f g h ");
	ck_assert_str_eq(all_paths(many, FUNCTION_RETURN), "a arg2 c arg4 arg5 f result latency ");
	ck_assert_str_eq(all_paths(value, FUNCTION_CALL), "a ");
	ck_assert_str_eq(all_paths(value, FUNCTION_RETURN), "a latency ");
	ck_assert_str_eq(all_paths(unknown, FUNCTION_CALL), "");
	ck_assert_str_eq(all_paths(unknown, FUNCTION_RETURN), "result latency ");
	ck_assert_str_eq(all_paths(PROTOTYPE(0, { "result", u32 }, { NULL, 0 }), FUNCTION_RETURN),
			 "arg1 latency ");
}
END_TEST

START_TEST(test_all_fields_of_invalid_types)
{
	struct function_field fields[PLAN_READS] = { 0 };
	struct prototype prototype = PROTOTYPE(0, { "a", u32 }, { "b", 100000 });

	ck_assert_int_eq(function_field__make_all(fields, &types, &prototype, FUNCTION_CALL),
			 -EBADMSG);
	ck_assert_ptr_null(fields[0].path);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	struct prototype prototype = PROTOTYPE(s32, { "name", pointer(constant(letter)) },
					       { "file", pointer(begin("file", 4)) });
	struct function_field fields[PLAN_READS] = { 0 };

	for (unsigned nth = 1; nth; nth++) {
		int count;

		fail_alloc__begin(nth);
		count = function_field__make_all(fields, &types, &prototype, FUNCTION_RETURN);
		if (!fail_alloc__end()) {
			ck_assert_int_eq(count, 4);
			break;
		}
		ck_assert_int_eq(count, -ENOMEM);
	}
	for (int i = 0; i < 4; i++)
		function_field__free(&fields[i]);
}
END_TEST

static struct prototype of_kernel(struct prototypes **kernel, const char *function)
{
	struct prototype found;

	ck_assert_int_eq(prototypes__open(kernel, NULL), 0);
	ck_assert(prototypes__find(*kernel, function, NULL, &found));
	return found;
}

START_TEST(test_kernel_parameters)
{
	struct prototypes *kernel;
	struct prototype prototype;

	if (kernel_btf__is_missing())
		skip("this kernel has no BTF");
	prototype = of_kernel(&kernel, "vfs_read");
	ck_assert_str_eq(all_paths(prototype, FUNCTION_RETURN),
			 "file buf count pos result latency ");
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "count"), PEAT_FIELD_SIZE);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "buf"), PEAT_FIELD_HEX);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_RETURN, "result"), PEAT_FIELD_ERRNO);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "file.f_inode.i_ino"),
			 PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(read_of(prototype, FUNCTION_CALL, "file.f_inode.i_ino").steps, 2);
	prototypes__free(kernel);
}
END_TEST

START_TEST(test_kernel_texts)
{
	struct prototypes *kernel;
	struct prototype prototype;
	struct plan_read read;

	if (kernel_btf__is_missing())
		skip("this kernel has no BTF");
	prototype = of_kernel(&kernel, "vfs_open");
	read = read_of(prototype, FUNCTION_CALL, "path.dentry.d_name.name");
	ck_assert_uint_eq(read.source, PLAN_ARG0);
	ck_assert_uint_eq(read.steps, 3);
	ck_assert_uint_eq(read.flags, 0);
	ck_assert_int_eq(kind_of(prototype, FUNCTION_CALL, "path.dentry.d_name.name"),
			 PEAT_FIELD_STRING);
	read = read_of(prototype, FUNCTION_CALL, "path.dentry.d_sb.s_id");
	ck_assert_uint_eq(read.steps, 3);
	ck_assert_uint_eq(read.bytes, 32);
	prototypes__free(kernel);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_parameters_by_number);
	tcase_add_test(tests, test_results_and_latency);
	tcase_add_test(tests, test_callers_of_functions);
	tcase_add_test(tests, test_all_fields);
	tcase_add_test(tests, test_all_fields_of_invalid_types);
	tcase_add_test(tests, test_memory_runs_out);
	tcase_add_test(tests, test_kernel_parameters);
	tcase_add_test(tests, test_kernel_texts);
}
