// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_whole_file.c: files that are removed only if they are the ones that were created. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/whole_file.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

START_TEST(test_created_file_is_removed)
{
	const char *path = scratch__path("file");
	int fd = scratch__file("file", "text");

	ck_assert_int_eq(whole_file__remove(path, fd), 0);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(whole_file__remove(path, fd), -EBUSY);
	close(fd);
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	fd = scratch__file("file", "text");
	ck_assert_int_eq(whole_file__remove("file", fd), 0);
	ck_assert_int_eq(access(path, F_OK), -1);
	close(fd);
}
END_TEST

START_TEST(test_other_files_stay)
{
	const char *path = scratch__path("file"), *moved = scratch__path("moved");
	int fd = scratch__file("file", "text"), other;

	ck_assert_int_eq(rename(path, moved), 0);
	other = scratch__file("file", "other");
	ck_assert_int_eq(whole_file__remove(path, fd), -EBUSY);
	ck_assert_int_eq(whole_file__remove(path, -1), -EBUSY);
	ck_assert_int_eq(access(path, F_OK), 0);
	close(other);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(symlink(moved, path), 0);
	ck_assert_int_eq(whole_file__remove(path, fd), -EBUSY);
	ck_assert_int_eq(access(path, F_OK), 0);
	close(fd);
}
END_TEST

START_TEST(test_directory_is_missing)
{
	int fd = scratch__file("file", "text");

	ck_assert_int_eq(whole_file__remove(scratch__path("missing/file"), fd), -ENOENT);
	close(fd);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_created_file_is_removed);
	tcase_add_test(tests, test_other_files_stay);
	tcase_add_test(tests, test_directory_is_missing);
}
