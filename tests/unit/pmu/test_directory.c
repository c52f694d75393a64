// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_directory.c: files and names of bounded size. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "pmu/directory.h"
#include "support/machine/process.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

START_TEST(test_entries_are_sorted)
{
	int tree = pmu_tree__new();
	unsigned fds = process__count_fds();
	struct pmu_entries entries;

	pmu_tree__add(tree, "b/c", "");
	pmu_tree__add(tree, "a", "");
	pmu_tree__add(tree, ".hidden", "");
	ck_assert_int_eq(pmu_entries__read(&entries, tree, "."), 0);
	ck_assert_uint_eq(entries.count, 2);
	ck_assert_str_eq(entries.at[0], "a");
	ck_assert_str_eq(entries.at[1], "b");
	pmu_entries__free(&entries);
	ck_assert_int_eq(pmu_entries__read(&entries, tree, "none"), -ENOENT);
	ck_assert_int_eq(pmu_entries__read(&entries, tree, "a"), -ENOTDIR);
	ck_assert_uint_eq(process__count_fds(), fds);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_files_are_read_as_text)
{
	char text[PMU_FILE_BYTES], large[PMU_FILE_BYTES + 1];
	int tree = pmu_tree__new();

	pmu_tree__add(tree, "d/text", "one two \n\n");
	ck_assert_int_eq(pmu_file__read(tree, "d/text", text), 0);
	ck_assert_str_eq(text, "one two");
	ck_assert_int_eq(pmu_file__read_in(tree, "d", "text", text), 0);
	ck_assert_str_eq(text, "one two");
	ck_assert_int_eq(pmu_file__read(tree, "none", text), -ENOENT);
	pmu_tree__add(tree, "control", "a\033[31mb");
	ck_assert_int_eq(pmu_file__read(tree, "control", text), -EBADMSG);
	memset(large, 'a', sizeof(large) - 1);
	large[PMU_FILE_BYTES] = '\0';
	pmu_tree__add(tree, "large", large);
	ck_assert_int_eq(pmu_file__read(tree, "large", text), -E2BIG);
	ck_assert_int_eq(pmu_file__read_in(tree, large, "a", text), -ENAMETOOLONG);
	large[PMU_FILE_BYTES - 1] = '\0';
	pmu_tree__add(tree, "full", large);
	ck_assert_int_eq(pmu_file__read(tree, "full", text), 0);
	ck_assert_uint_eq(strlen(text), PMU_FILE_BYTES - 1);
	pmu_tree__free(tree);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_entries_are_sorted);
	tcase_add_test(tests, test_files_are_read_as_text);
}
