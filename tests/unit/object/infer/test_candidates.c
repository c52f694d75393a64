// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_candidates.c: types that can be the type of an object's events. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>
#include <linux/btf.h>

#include "object/infer/candidates.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct btf *btf, *kernel;
static struct candidates list;
static struct kernel_types types;
static int number;

static void setup(void)
{
	list = (struct candidates){ 0 };
	btf = btf__new_empty();
	kernel = btf__new_empty();
	ck_assert(btf && kernel);
	number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	ck_assert_int_gt(number, 0);
}

static void teardown(void)
{
	candidates__free(&list);
	kernel_types__free(&types);
	btf__free(btf);
	btf__free(kernel);
}

static int add(const char *name, uint32_t bytes)
{
	int id = btf__add_struct(btf, name, bytes);

	ck_assert_int_gt(id, 0);
	return id;
}

static void check_names(const char *names)
{
	struct strbuf out = { 0 };

	candidates__name(&list, &out);
	strbuf__char(&out, '\0');
	ck_assert_str_eq(out.bytes, names);
	strbuf__free(&out);
}

START_TEST(test_named_types_with_size)
{
	int named = add("named", 8), unnamed = add(NULL, 8);

	add("named", 8);
	add("empty", 0);
	add("large", 65535);
	add("too_large", 65536);
	ck_assert_int_gt(btf__add_union(btf, "either", 8), 0);
	ck_assert_int_gt(btf__add_typedef(btf, "alias", named), 0);
	ck_assert_int_gt(btf__add_typedef(btf, "whole", unnamed), 0);
	ck_assert_int_gt(btf__add_typedef(btf, "number", number), 0);
	ck_assert_int_gt(btf__add_typedef(btf, "nothing", 0), 0);
	ck_assert_int_gt(btf__add_fwd(btf, "elsewhere", BTF_FWD_STRUCT), 0);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	check_names("either, large, named, whole");
	candidates__keep_size(&list, 8);
	check_names("either, named, whole");
	ck_assert_uint_eq(list.at[1].place, named);
	candidates__keep_size(&list, 9);
	check_names("");
}
END_TEST

START_TEST(test_by_name)
{
	int named = add("named", 8), alias = btf__add_typedef(btf, "alias", named);

	ck_assert_int_gt(alias, 0);
	ck_assert_int_eq(candidates__read_named(&list, btf, NULL, "alias"), 0);
	check_names("alias");
	ck_assert_uint_eq(list.at[0].place, alias);
	ck_assert_uint_eq(list.at[0].bytes, 8);
	ck_assert_int_eq(candidates__read_named(&list, NULL, NULL, "named"), 0);
	check_names("alias");
}
END_TEST

START_TEST(test_same_name_two_sizes)
{
	add("event", 8);
	add("event", 16);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	check_names("event, event");
}
END_TEST

START_TEST(test_kernel_types_left_out)
{
	int unnamed = add(NULL, 8);

	add("task", 8);
	add("task___old", 8);
	add("task_of_mine", 8);
	add("tas", 8);
	add("key_t", 8);
	add("bpf_map_def", 20);
	ck_assert_int_gt(btf__add_typedef(btf, "lock_t", unnamed), 0);
	ck_assert_int_gt(btf__add_struct(kernel, "task", 9000), 0);
	ck_assert_int_gt(btf__add_typedef(kernel, "key_t", 0), 0);
	ck_assert_int_gt(btf__add_typedef(kernel, "lock_t", 0), 0);
	ck_assert_int_eq(kernel_types__read(&types, kernel), 0);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	candidates__keep_own(&list, &types);
	check_names("key_t, tas, task_of_mine");
}
END_TEST

START_TEST(test_without_kernel_btf)
{
	add("task", 8);
	ck_assert_int_eq(kernel_types__read(&types, NULL), 0);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	candidates__keep_own(&list, &types);
	check_names("task");
}
END_TEST

START_TEST(test_list_is_shortened)
{
	static const char *const names[] = { "a", "b", "c", "d", "e\n", "f", "g" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add(names[i], 8);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	check_names("a, b, c, d, e\\n and 2 more");
}
END_TEST

START_TEST(test_many_types)
{
	char name[16];

	for (int i = 0; i < 65536; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		add(name, 8);
	}
	ck_assert_int_eq(kernel_types__read(&types, btf), 0);
	ck_assert_int_eq(candidates__read(&list, btf, NULL), 0);
	ck_assert_uint_eq(list.count, 65536);
	candidates__keep_own(&list, &types);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_named_types_with_size);
	tcase_add_test(tests, test_by_name);
	tcase_add_test(tests, test_same_name_two_sizes);
	tcase_add_test(tests, test_kernel_types_left_out);
	tcase_add_test(tests, test_without_kernel_btf);
	tcase_add_test(tests, test_list_is_shortened);
	tcase_add_test(tests, test_many_types);
}
