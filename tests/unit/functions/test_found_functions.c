// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_found_functions.c: found functions are sorted, and each place is kept once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions/found_functions.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static void add(struct found_functions *found, const char *name, const char *module, uint64_t place)
{
	ck_assert_int_eq(found_functions__add(found, name, module, place), 0);
}

static void check(const struct found_functions *found, size_t i, const char *name,
		  const char *module, uint64_t place)
{
	ck_assert_uint_lt(i, found->count);
	ck_assert_str_eq(found->at[i].name, name);
	ck_assert_str_eq(found->at[i].module ? found->at[i].module : "", module ? module : "");
	ck_assert_uint_eq(found->at[i].place, place);
}

START_TEST(test_sorts_by_name)
{
	struct found_functions found = { 0 };

	add(&found, "vfs_write", NULL, 0x10);
	add(&found, "vfs_read", NULL, 0x30);
	add(&found, "nf_hook", "nf_tables", 0x20);
	add(&found, "nf_hook", NULL, 0x40);
	add(&found, "nf_hook", NULL, 0x15);
	found_functions__sort(&found);
	ck_assert_uint_eq(found.count, 5);
	check(&found, 0, "nf_hook", NULL, 0x15);
	check(&found, 1, "nf_hook", NULL, 0x40);
	check(&found, 2, "nf_hook", "nf_tables", 0x20);
	check(&found, 3, "vfs_read", NULL, 0x30);
	check(&found, 4, "vfs_write", NULL, 0x10);
	found_functions__free(&found);
	ck_assert_ptr_null(found.at);
}
END_TEST

START_TEST(test_keeps_each_place_once)
{
	struct found_functions found = { 0 };

	add(&found, "__libc_malloc", NULL, 0x10);
	add(&found, "malloc", NULL, 0x10);
	add(&found, "malloc", NULL, 0x10);
	add(&found, "open64", NULL, 0x20);
	add(&found, "_open", NULL, 0x20);
	add(&found, "open", NULL, 0x20);
	add(&found, "b", NULL, 0x30);
	add(&found, "a", NULL, 0x30);
	found_functions__sort(&found);
	ck_assert_uint_eq(found.count, 3);
	check(&found, 0, "a", NULL, 0x30);
	check(&found, 1, "malloc", NULL, 0x10);
	check(&found, 2, "open", NULL, 0x20);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_unknown_places)
{
	struct found_functions found = { 0 };

	add(&found, "f", NULL, 0);
	add(&found, "g", NULL, 0);
	add(&found, "f", "mod", 0);
	add(&found, "f", NULL, 0);
	add(&found, "h", NULL, 0);
	add(&found, "h", NULL, 0x10);
	found_functions__sort(&found);
	ck_assert_uint_eq(found.count, 4);
	check(&found, 0, "f", NULL, 0);
	check(&found, 1, "f", "mod", 0);
	check(&found, 2, "g", NULL, 0);
	check(&found, 3, "h", NULL, 0x10);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_keeps_the_lowest_place_of_a_name)
{
	struct found_functions found = { 0 };

	add(&found, "start", "app", 0x30);
	add(&found, "start", "app", 0);
	add(&found, "start", "app", 0x10);
	add(&found, "start", "lib", 0x20);
	add(&found, "end", "app", 0x10);
	found_functions__sort_names(&found);
	ck_assert_uint_eq(found.count, 3);
	check(&found, 0, "end", "app", 0x10);
	check(&found, 1, "start", "app", 0x10);
	check(&found, 2, "start", "lib", 0x20);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_arguments_are_those_of_the_last)
{
	struct found_functions found = { 0 };

	add(&found, "b", "app", 0x10);
	ck_assert_int_eq(found_functions__set_arguments(&found, "8@%rax"), 0);
	ck_assert_int_eq(found_functions__set_arguments(&found, "8@%rbx"), 0);
	add(&found, "a", "app", 0x20);
	found_functions__sort(&found);
	ck_assert_ptr_null(found.at[0].arguments);
	ck_assert_str_eq(found.at[1].arguments, "8@%rbx");
	found_functions__free(&found);
}
END_TEST

START_TEST(test_leaves_functions_out)
{
	struct found_functions found = { 0 };

	add(&found, "a", NULL, 0x10);
	add(&found, "b", "mod", 0x20);
	add(&found, "c", NULL, 0x30);
	found_functions__leave_out(&found, 1);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_uint_eq(found.left_out, 1);
	check(&found, 1, "c", NULL, 0x30);
	found_functions__leave_out(&found, 1);
	found_functions__leave_out(&found, 0);
	ck_assert_uint_eq(found.count, 0);
	ck_assert_uint_eq(found.left_out, 3);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_nothing_is_sorted)
{
	struct found_functions found = { 0 };

	found_functions__sort(&found);
	found_functions__sort_names(&found);
	ck_assert_uint_eq(found.count, 0);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	long blocks = fail_alloc__blocks();
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		struct found_functions found = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = found_functions__add(&found, "f", "mod", 1);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		ck_assert_uint_eq(found.count, nth == UINT32_MAX);
		failures += err != 0;
		found_functions__free(&found);
	}
	ck_assert_uint_le(failures, 3);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_sorts_by_name);
	tcase_add_test(tests, test_keeps_each_place_once);
	tcase_add_test(tests, test_unknown_places);
	tcase_add_test(tests, test_keeps_the_lowest_place_of_a_name);
	tcase_add_test(tests, test_arguments_are_those_of_the_last);
	tcase_add_test(tests, test_leaves_functions_out);
	tcase_add_test(tests, test_nothing_is_sorted);
	tcase_add_test(tests, test_memory_runs_out);
}
