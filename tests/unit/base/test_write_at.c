// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_write_at.c: bytes in the middle of a file. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/write_at.h"
#include "unit/suite.h"

static int open_file(void)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

START_TEST(test_writes_in_the_middle)
{
	int fd = open_file();
	char text[9] = "";

	ck_assert_int_eq(write_at(fd, "abcdefgh", 8, 0), 0);
	ck_assert_int_eq(write_at(fd, "XY", 2, 3), 0);
	ck_assert_int_eq(write_at(fd, NULL, 0, 100), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 0);
	ck_assert_int_eq(read(fd, text, sizeof(text)), 8);
	ck_assert_str_eq(text, "abcXYfgh");
	close(fd);
}
END_TEST

/* The kernel writes the part that fits first. */
START_TEST(test_writes_what_fits)
{
	struct rlimit before, limit;
	int fd = open_file(), err;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = (struct rlimit){ 6, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	err = write_at(fd, "abcdefgh", 8, 2);
	setrlimit(RLIMIT_FSIZE, &before); /* assertions write to a file */
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 6);
	close(fd);
}
END_TEST

START_TEST(test_reports_errors)
{
	ck_assert_int_eq(write_at(-1, "a", 1, 0), -EBADF);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_writes_in_the_middle);
	tcase_add_test(tests, test_writes_what_fits);
	tcase_add_test(tests, test_reports_errors);
}
