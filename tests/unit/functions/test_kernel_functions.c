// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_functions.c: functions of the running kernel, whose lists this user may not read. */
#include <errno.h>
#include <string.h>

#include "functions/kernel_functions.h"

#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_finds_an_exact_name)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(kernel_functions__find(&found, "vfs_read"), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.at[0].name, "vfs_read");
	ck_assert_ptr_null(found.at[0].module);
	found_functions__free(&found);
}
END_TEST

/* kallsyms has names for every user. */
START_TEST(test_suggests_a_name)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(kernel_functions__find(&found, "vfs_fstatta"), -ENOENT);
	ck_assert_uint_eq(found.count, 0);
	ck_assert_str_eq(found.alike.best, "vfs_fstatat");
	found_functions__free(&found);
}
END_TEST

/* Users without privileges may not read the lists of tracefs, nor may root if the kernel is locked
 * down. */
static bool finds_glob(struct found_functions *found, const char *pattern)
{
	int err = kernel_functions__find(found, pattern);

	ck_assert_msg(!err || err == -EACCES || err == -EPERM, "%s", strerror(-err));
	return !err;
}

START_TEST(test_finds_globs)
{
	struct found_functions exact = { 0 }, found = { 0 };
	bool has_exact = false;

	if (!finds_glob(&found, "vfs_r*"))
		return;
	ck_assert_uint_gt(found.count, 1);
	ck_assert_int_eq(kernel_functions__find(&exact, "vfs_read"), 0);
	for (size_t i = 0; i < found.count; i++) {
		ck_assert_int_eq(strncmp(found.at[i].name, "vfs_r", 5), 0);
		ck_assert(!i || strcmp(found.at[i - 1].name, found.at[i].name) <= 0);
		has_exact |= !strcmp(found.at[i].name, "vfs_read") &&
			     found.at[i].place == exact.at[0].place;
	}
	ck_assert(has_exact);
	found_functions__free(&exact);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_leaves_nothing_behind)
{
	unsigned fds = process__count_fds();
	long blocks = fail_alloc__blocks();
	struct found_functions found = { 0 };

	finds_glob(&found, "vfs_rea*");
	found_functions__free(&found);
	ck_assert_int_eq(kernel_functions__find(&found, "vfs_read"), 0);
	found_functions__free(&found);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_an_exact_name);
	tcase_add_test(tests, test_suggests_a_name);
	tcase_add_test(tests, test_finds_globs);
	tcase_add_test(tests, test_leaves_nothing_behind);
}
