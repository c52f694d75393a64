// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_current_file.c: opening, locking, appending and cutting back. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/current_file.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct current_file file;

static void open_file(const char *path)
{
	ck_assert_int_eq(current_file__open(&file, path, 0640), 0);
}

START_TEST(test_new_and_existing)
{
	struct stat status;

	open_file(scratch__path("a"));
	ck_assert(file.is_regular && !file.bytes);
	ck_assert_int_eq(fstat(file.fd, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0640);
	ck_assert_int_eq(current_file__append(&file, "abc", 3, 0, false), 0);
	current_file__close(&file);
	ck_assert_int_eq(chmod(scratch__path("a"), 0600), 0);
	open_file(scratch__path("a"));
	ck_assert_uint_eq(file.bytes, 3);
	ck_assert_int_eq(fstat(file.fd, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
	current_file__close(&file);
}
END_TEST

START_TEST(test_one_writer)
{
	struct current_file second;

	open_file(scratch__path("a"));
	ck_assert_int_eq(current_file__open(&second, scratch__path("a"), 0640), -EBUSY);
	current_file__close(&file);
	ck_assert_int_eq(current_file__open(&second, scratch__path("a"), 0640), 0);
	current_file__close(&second);
}
END_TEST

START_TEST(test_changes_by_others)
{
	const char *path = scratch__path("a");

	open_file(path);
	ck_assert_int_eq(current_file__append(&file, "abc", 3, 0, false), 0);
	ck_assert(!current_file__is_changed(&file, path));
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert(current_file__is_changed(&file, path) && !current_file__is_moved(&file, path));
	ck_assert(!current_file__is_whole(&file));
	ck_assert_int_eq(unlink(path), 0);
	ck_assert(current_file__is_moved(&file, path));
	close(scratch__file("a", "abc"));
	ck_assert(current_file__is_moved(&file, path));
	current_file__close(&file);
}
END_TEST

static void check_text(const char *wanted)
{
	char text[16] = "";
	int reader = current_file__reader(&file);

	ck_assert_int_eq(read(reader, text, sizeof(text) - 1), strlen(wanted));
	ck_assert_str_eq(text, wanted);
	close(reader);
}

/* A limit of 10 bytes: what fits is cut off again. */
START_TEST(test_all_or_nothing)
{
	const struct rlimit limit = { 10, 10 };
	struct stat status;

	open_file(scratch__path("a"));
	ck_assert_int_eq(current_file__append(&file, "1234567", 7, 0, true), 0);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(current_file__append(&file, "89abcde67", 9, 2, true), -EFBIG);
	ck_assert_int_eq(fstat(file.fd, &status), 0);
	ck_assert_int_eq(status.st_size, 7);
	ck_assert_uint_eq(file.bytes, 7);
	check_text("1234567");
	ck_assert_int_eq(current_file__append(&file, "89a67", 5, 2, true), 0);
	check_text("1234589a67");
	current_file__close(&file);
}
END_TEST

START_TEST(test_pipe_fills)
{
	static char bytes[100000];
	size_t sent = 0;
	int reader;

	ck_assert_int_eq(mkfifo(scratch__path("p"), 0600), 0);
	reader = open(scratch__path("p"), O_RDONLY | O_NONBLOCK);
	open_file(scratch__path("p"));
	ck_assert(file.is_pipe && !current_file__is_changed(&file, "/proc/none"));
	ck_assert_int_eq(current_file__send(&file, bytes, sizeof(bytes), &sent), -EAGAIN);
	ck_assert(sent && sent < sizeof(bytes));
	ck_assert_int_eq(read(reader, bytes, sizeof(bytes)), sent);
	ck_assert_int_eq(current_file__send(&file, bytes, sizeof(bytes), &sent), 0);
	ck_assert_uint_eq(sent, sizeof(bytes));
	close(reader);
	current_file__close(&file);
}
END_TEST

START_TEST(test_refused_paths)
{
	ck_assert_int_eq(current_file__open(&file, "/proc/none/a", 0640), -ENOENT);
	ck_assert_int_eq(file.fd, -1);
	ck_assert_int_eq(current_file__open(&file, "/", 0640), -EISDIR);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_new_and_existing);
	tcase_add_test(tests, test_one_writer);
	tcase_add_test(tests, test_changes_by_others);
	tcase_add_test(tests, test_all_or_nothing);
	tcase_add_test(tests, test_pipe_fills);
	tcase_add_test(tests, test_refused_paths);
}
