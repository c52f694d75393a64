// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_file.c: files that events are written to: permissions, links, FIFOs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/sink.h>

#include "support/perf/stock_perf.h"
#include "unit/suite.h"

static void put(const char *path, mode_t mode)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	fputs("before", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(path, mode), 0);
}

static struct stat status_of(const char *path)
{
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	return status;
}

/* Creates the file, writes to it, and returns its permissions. */
static mode_t create(const char *path, const struct peat_file_opts *opts)
{
	int fd = peat_file__create(path, opts);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(status_of(path).st_size, 3);
	return status_of(path).st_mode & 07777;
}

START_TEST(test_permissions)
{
	umask(0);
	ck_assert_uint_eq(create("new", NULL), 0600);
	put("old", 0644);
	ck_assert_uint_eq(create("old", NULL), 0644);
	ck_assert_int_eq(mkdir("dir", 0777), 0);
	ck_assert_uint_eq(create("dir/new", NULL), 0600);
}
END_TEST

static mode_t create_from(const char *recording, mode_t mode)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.made_from = recording;
	put("out", mode);
	return create("out", &opts);
}

START_TEST(test_permissions_of_the_recording)
{
	put("private", 0600);
	put("group", 0640);
	put("read_only", 0444);
	ck_assert_int_eq(mkdir("directory", 0777), 0);
	ck_assert_uint_eq(create_from("private", 0666), 0600);
	ck_assert_uint_eq(create_from("group", 0666), 0640);
	ck_assert_uint_eq(create_from("group", 0604), 0600);
	ck_assert_uint_eq(create_from("read_only", 0644), 0644);
	ck_assert_uint_eq(create_from("directory", 0644), 0600);
	ck_assert_uint_eq(create_from("nothing", 0644), 0600);
	ck_assert_int_eq(dup2(open("group", O_RDONLY), STDIN_FILENO), STDIN_FILENO);
	ck_assert_uint_eq(create_from("-", 0666), 0640);
}
END_TEST

START_TEST(test_exclusive)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.exclusive = true;
	ck_assert_uint_eq(create("new", &opts), 0600);
	ck_assert_int_eq(peat_file__create("new", &opts), -EEXIST);
	ck_assert_int_eq(status_of("new").st_size, 3);
	ck_assert_int_eq(symlink("nothing", "link"), 0);
	ck_assert_int_eq(peat_file__create("link", &opts), -EEXIST);
	ck_assert_int_eq(access("nothing", F_OK), -1);
}
END_TEST

/* Links of the caller are followed, also to files that do not exist, and to descriptors. */
START_TEST(test_links)
{
	char path[32];
	int fd;

	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_int_eq(symlink("dir/target", "one"), 0);
	ck_assert_int_eq(symlink("../one", "dir/two"), 0);
	ck_assert_uint_eq(create("dir/two", NULL), 0600);
	ck_assert_int_eq(status_of("dir/target").st_size, 3);
	ck_assert_uint_eq(create("one", NULL), 0600);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	ck_assert_int_eq(peat_file__create("loop", NULL), -ELOOP);
	fd = open("dir/target", O_WRONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	create(path, NULL);
	close(fd);
	fd = peat_file__create("/dev/null", NULL);
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

START_TEST(test_failures)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_int_eq(peat_file__create("dir", NULL), -EISDIR);
	ck_assert_int_eq(peat_file__create("dir/", NULL), -EISDIR);
	ck_assert_int_eq(peat_file__create("", NULL), -ENOENT);
	ck_assert_int_eq(peat_file__create("nothing/file", NULL), -ENOENT);
	ck_assert_int_eq(peat_file__create(NULL, NULL), -EINVAL);
	opts.reserved[2] = 1;
	ck_assert_int_eq(peat_file__create("new", &opts), -EINVAL);
	ck_assert_int_eq(access("new", F_OK), -1);
}
END_TEST

/* Opening does not wait, or not longer than requested; the descriptor itself blocks. */
START_TEST(test_fifo)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	char bytes[4];
	int reader, fd;

	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(peat_file__create("fifo", NULL), -ENXIO);
	opts.fifo_ms = 30;
	ck_assert_int_eq(peat_file__create("fifo", &opts), -ENXIO);
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fd = peat_file__create("fifo", NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	ck_assert_int_eq(read(reader, bytes, sizeof(bytes)), 3);
	close(fd);
	close(reader);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_permissions);
	tcase_add_test(tests, test_permissions_of_the_recording);
	tcase_add_test(tests, test_exclusive);
	tcase_add_test(tests, test_links);
	tcase_add_test(tests, test_failures);
	tcase_add_test(tests, test_fifo);
}
