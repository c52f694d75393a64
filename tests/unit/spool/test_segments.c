// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_segments.c: segments are found, written to their end only, and removed in their order. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "spool/segments.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct segments segments;

static void open_segments(void)
{
	ck_assert_int_eq(segments__open(&segments, scratch__path("spool")), 0);
}

static void begin(const char *text)
{
	ck_assert_int_eq(segments__begin(&segments, true), 0);
	ck_assert_int_eq(segments__append(&segments, text, strlen(text), true), 0);
}

static void check_read(uint64_t number, const char *text)
{
	char bytes[64] = "";
	int fd = segments__read(&segments, number);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(read(fd, bytes, sizeof(bytes) - 1), 0);
	ck_assert_str_eq(bytes, text);
	close(fd);
}

START_TEST(test_segments_in_order)
{
	struct stat status;

	open_segments();
	ck_assert_uint_eq(segments.count, 0);
	begin("one");
	ck_assert_int_eq(segments__append(&segments, "two", 3, false), 0);
	ck_assert_int_eq(segments__end(&segments, true), 0);
	begin("three");
	ck_assert_uint_eq(segments.bytes, 11);
	segments__close(&segments);
	open_segments();
	ck_assert_uint_eq(segments.count, 2);
	ck_assert_uint_eq(segments.bytes, 11);
	ck_assert_uint_eq(segments.at[0].number, 1);
	ck_assert_uint_eq(segments.at[1].bytes, 5);
	check_read(1, "onetwo");
	check_read(2, "three");
	ck_assert_int_eq(segments__read(&segments, 3), -ENOENT);
	ck_assert_ptr_eq(segments__find(&segments, 0), &segments.at[0]);
	ck_assert_ptr_eq(segments__find(&segments, 2), &segments.at[1]);
	ck_assert_ptr_null(segments__find(&segments, 3));
	ck_assert_int_eq(segments__remove_first(&segments), 0);
	ck_assert_uint_eq(segments.bytes, 5);
	begin("four");
	ck_assert_uint_eq(segments.at[1].number, 3);
	ck_assert_int_eq(stat(scratch__path("spool"), &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0700);
	ck_assert_int_eq(stat(scratch__path("spool/00000000000000000003.perf"), &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
	segments__close(&segments);
}
END_TEST

START_TEST(test_other_files_stay)
{
	ck_assert_int_eq(mkdir(scratch__path("spool"), 0755), 0);
	close(scratch__file("spool/1.perf", "x"));
	close(scratch__file("spool/00000000000000000004.perf.old", "x"));
	close(scratch__file("spool/00000000000000000000.perf", "x"));
	ck_assert_int_eq(mkdir(scratch__path("spool/00000000000000000009.perf"), 0700), 0);
	open_segments();
	ck_assert_uint_eq(segments.count, 0);
	segments__skip_number(&segments, 41);
	begin("x");
	ck_assert_uint_eq(segments.at[0].number, 42);
	segments__close(&segments);
}
END_TEST

START_TEST(test_empty_segments_are_removed)
{
	open_segments();
	ck_assert_int_eq(segments__begin(&segments, false), 0);
	ck_assert_int_eq(segments__end(&segments, false), 0);
	ck_assert_uint_eq(segments.count, 0);
	ck_assert_int_eq(access(scratch__path("spool/00000000000000000001.perf"), F_OK), -1);
	segments__close(&segments);
}
END_TEST

static char message[256];

static void keep_message(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

START_TEST(test_one_process_at_a_time)
{
	struct segments second;

	open_segments();
	peat_set_print(keep_message);
	ck_assert_int_eq(segments__open(&second, scratch__path("spool")), -EBUSY);
	ck_assert_ptr_nonnull(strstr(message, "another output or process uses the directory"));
	ck_assert_int_eq(segments__open(&second, scratch__path("missing/spool")), -ENOENT);
	segments__close(&segments);
	open_segments();
	segments__close(&segments);
}
END_TEST

START_TEST(test_directory_for_all)
{
	ck_assert_int_eq(mkdir(scratch__path("spool"), 0700), 0);
	ck_assert_int_eq(chmod(scratch__path("spool"), 0770), 0);
	peat_set_print(keep_message);
	ck_assert_int_eq(segments__open(&segments, scratch__path("spool")), -EACCES);
	ck_assert_ptr_nonnull(strstr(message, "other users can write to the directory"));
}
END_TEST

START_TEST(test_directory_of_another_user)
{
	if (geteuid())
		skip("needs root to make a directory of another user");
	ck_assert_int_eq(mkdir(scratch__path("spool"), 0777), 0);
	ck_assert_int_eq(chown(scratch__path("spool"), 1, 1), 0);
	peat_set_print(keep_message);
	ck_assert_int_eq(segments__open(&segments, scratch__path("spool")), -EACCES);
	ck_assert_ptr_nonnull(strstr(message, "belongs to another user"));
}
END_TEST

/* A part of the bytes is written: the segment is cut back to the piece before. */
START_TEST(test_failed_write_leaves_nothing)
{
	const struct rlimit limit = { 12, RLIM_INFINITY };

	open_segments();
	begin("12345678");
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(segments__append(&segments, "abcdef", 6, false), -EFBIG);
	check_read(1, "12345678");
	ck_assert_int_eq(segments__append(&segments, "ab", 2, false), 0);
	check_read(1, "12345678ab");
	ck_assert_int_eq(segments__append(&segments, "abc", 3, false), -EFBIG);
	check_read(1, "12345678ab");
	ck_assert_uint_eq(segments.bytes, 10);
	segments__close(&segments);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_segments_in_order);
	tcase_add_test(tests, test_other_files_stay);
	tcase_add_test(tests, test_empty_segments_are_removed);
	tcase_add_test(tests, test_one_process_at_a_time);
	tcase_add_test(tests, test_directory_for_all);
	tcase_add_test(tests, test_directory_of_another_user);
	tcase_add_test(tests, test_failed_write_leaves_nothing);
}
