// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_written_files.c: only files that the run wrote are removed. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/record/written_files.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct written_files files;

/* The path of a file that the run wrote. */
static const char *write_file(const char *name)
{
	int fd = scratch__file(name, "text");

	ck_assert_int_eq(written_files__add(&files, fd), 0);
	close(fd);
	return scratch__path(name);
}

static void setup(void)
{
	scratch__make();
	files = (struct written_files){ 0 };
}

static void teardown(void)
{
	written_files__free(&files);
	scratch__remove();
}

START_TEST(test_oldest_is_removed_first)
{
	const char *first = write_file("first"), *second = write_file("second");

	ck_assert_int_eq(written_files__remove_oldest(&files, first), 0);
	ck_assert_int_eq(access(first, F_OK), -1);
	ck_assert_int_eq(access(second, F_OK), 0);
	ck_assert_int_eq(written_files__remove_oldest(&files, second), 0);
	ck_assert_int_eq(access(second, F_OK), -1);
	ck_assert_int_eq(written_files__remove_oldest(&files, second), -ENOENT);
}
END_TEST

/* Also if the new file has the inode of the one that was removed. */
START_TEST(test_replaced_file_stays)
{
	const char *moved = write_file("moved"), *removed = write_file("removed"), *linked;

	ck_assert_int_eq(rename(moved, scratch__path("elsewhere")), 0);
	close(scratch__file("moved", "text"));
	ck_assert_int_eq(written_files__remove_oldest(&files, moved), -EBUSY);
	ck_assert_int_eq(access(moved, F_OK), 0);
	ck_assert_int_eq(unlink(removed), 0);
	usleep(50000); /* times of birth differ after a tick of the kernel's clock */
	close(scratch__file("removed", "text"));
	ck_assert_int_eq(written_files__remove_oldest(&files, removed), -EBUSY);
	ck_assert_int_eq(access(removed, F_OK), 0);
	linked = write_file("linked");
	ck_assert_int_eq(rename(linked, scratch__path("target")), 0);
	ck_assert_int_eq(symlink(scratch__path("target"), linked), 0);
	ck_assert_int_eq(written_files__remove_oldest(&files, linked), -EBUSY);
	ck_assert_int_eq(access(linked, F_OK), 0);
}
END_TEST

START_TEST(test_missing_file_is_no_error)
{
	const char *path = write_file("file");

	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(written_files__remove_oldest(&files, path), 0);
	write_file("file");
	ck_assert_int_eq(written_files__remove_oldest(&files, scratch__path("file/below")),
			 -ENOTDIR);
	ck_assert_int_eq(written_files__add(&files, -1), -EBADF);
	ck_assert_uint_eq(files.count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_oldest_is_removed_first);
	tcase_add_test(tests, test_replaced_file_stays);
	tcase_add_test(tests, test_missing_file_is_no_error);
}
