// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_conversion_output.c: outputs of conversions: files, standard output, and the recording
 * itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "convert/output_file.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "unit/fail_alloc.h"
#include "unit/replay/replay_maker.h"
#include "unit/suite.h"

#define ITSELF "it is the recording itself"

static struct perf_recording rec;
static char logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void save(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

static void save_recording(const char *path)
{
	struct maker m = { 0 };
	size_t data;

	make_file(&m, made_points, 2);
	data = m.len;
	make_event(&m, 100, (struct made_at){ 1, 0, 42 }, 7);
	end_data(&m, data, 0);
	save(path, m.at, m.len);
	free(m.at);
}

static void open_recording(const char *path)
{
	ck_assert_int_eq(perf_recording__open(&rec, path), 0);
}

/* `rec` is the recording `file`; another file `out` has 6 bytes. */
static void setup(void)
{
	logged[0] = '\0';
	peat_set_print(note);
	save_recording("file");
	save("out", "before", 6);
	open_recording("file");
}

static void teardown(void)
{
	perf_recording__close(&rec);
}

static off_t size_of(const char *path)
{
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	return status.st_size;
}

/* Opens an output, which is emptied, and writes to it. */
static void check_opened(const char *path)
{
	int fd = output_file__open(&rec, path);

	ck_assert_msg(fd >= 0, "%s", logged);
	ck_assert_str_eq(logged, "");
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(size_of(path), 3);
}

/* Nothing is changed, and nothing stays open. */
static void check_refused(const char *path, int err, const char *words)
{
	off_t bytes = access(path, F_OK) ? -1 : size_of(path);
	unsigned fds = process__count_fds();

	logged[0] = '\0';
	ck_assert_int_eq(output_file__open(&rec, path), err);
	ck_assert_msg(strstr(logged, words), "%s: %s", path, logged);
	ck_assert_uint_eq(process__count_fds(), fds);
	if (bytes >= 0)
		ck_assert_int_eq(size_of(path), bytes);
	logged[0] = '\0';
}

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(test_other_files)
{
	check_opened("new");
	check_opened("out");
	check_refused("nothing/file", -ENOENT, "No such file");
}
END_TEST

START_TEST(test_recording_itself)
{
	ck_assert_int_eq(link("file", "second"), 0);
	ck_assert_int_eq(symlink("file", "link"), 0);
	check_refused("file", -EINVAL, ITSELF);
	check_refused("second", -EINVAL, ITSELF);
	check_refused("link", -EINVAL, ITSELF);
}
END_TEST

/* Each file of a directory, but no other file in it. */
START_TEST(test_recording_in_a_directory)
{
	long blocks;

	perf_recording__close(&rec);
	ck_assert_int_eq(mkdir("directory", 0700), 0);
	save_recording("directory/data");
	save("directory/data.0", "", 0);
	save("directory/data.1", "", 0);
	open_recording("directory");
	blocks = fail_alloc__blocks();
	check_refused("directory/data", -EINVAL, ITSELF);
	check_refused("directory/data.0", -EINVAL, ITSELF);
	check_refused("directory/data.1", -EINVAL, ITSELF);
	check_opened("directory/out");
	check_opened("out");
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* Without memory for a path, the recording is not emptied. */
START_TEST(test_no_memory)
{
	bool has_failed = true;
	off_t bytes;

	perf_recording__close(&rec);
	ck_assert_int_eq(mkdir("directory", 0700), 0);
	save_recording("directory/data");
	open_recording("directory");
	bytes = size_of("directory/data");
	for (unsigned nth = 1; has_failed; nth++) {
		int fd;

		fail_alloc__begin(nth);
		fd = output_file__open(&rec, "directory/data");
		has_failed = fail_alloc__end();
		ck_assert_int_lt(fd, 0);
		ck_assert_int_eq(size_of("directory/data"), bytes);
	}
}
END_TEST

/* ---- standard input and output --------------------------------------------------------------- */

START_TEST(test_recording_from_standard_input)
{
	int fd = open("file", O_RDONLY | O_CLOEXEC);

	perf_recording__close(&rec);
	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
	open_recording("-");
	check_refused("file", -EINVAL, ITSELF);
	check_opened("out");
}
END_TEST

/* A file that the shell appends to keeps its content. */
START_TEST(test_standard_output)
{
	int saved = dup(STDOUT_FILENO), fd;

	fd = open("out", O_WRONLY | O_APPEND | O_CLOEXEC);
	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	close(fd);
	fd = output_file__open(&rec, "-");
	ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_gt(fd, STDERR_FILENO);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	close(fd);
	ck_assert_int_eq(size_of("out"), 9);
}
END_TEST

START_TEST(test_standard_output_is_the_recording)
{
	int saved = dup(STDOUT_FILENO), fd = open("file", O_WRONLY | O_APPEND | O_CLOEXEC), err;

	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	close(fd);
	for (int i = 0; i < 2; i++) {
		err = output_file__open(&rec, "-");
		close(STDIN_FILENO); /* and 0 is the output the second time */
		if (err != -EINVAL)
			break;
	}
	ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(err, -EINVAL);
}
END_TEST

/* Input and output are the same terminal, or device. */
START_TEST(test_device_of_standard_input)
{
	struct perf_recording piped = { .path = "-" };
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
	fd = output_file__open(&piped, "/dev/null");
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

START_TEST(test_closed_standard_output)
{
	int saved = dup(STDOUT_FILENO), err;

	close(STDOUT_FILENO);
	err = output_file__open(&rec, "-");
	ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(err, -EBADF);
	ck_assert_ptr_nonnull(strstr(logged, "standard output: Bad file descriptor"));
}
END_TEST

/* 0 is a file descriptor like any other. */
START_TEST(test_closed_standard_input)
{
	int fd;

	close(STDIN_FILENO);
	fd = output_file__open(&rec, "-");
	ck_assert_int_eq(fd, STDIN_FILENO);
	ck_assert_str_eq(logged, "");
	close(fd);
	check_opened("out");
	check_refused("file", -EINVAL, ITSELF);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_other_files);
	tcase_add_test(tests, test_recording_itself);
	tcase_add_test(tests, test_recording_in_a_directory);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_recording_from_standard_input);
	tcase_add_test(tests, test_standard_output);
	tcase_add_test(tests, test_standard_output_is_the_recording);
	tcase_add_test(tests, test_device_of_standard_input);
	tcase_add_test(tests, test_closed_standard_output);
	tcase_add_test(tests, test_closed_standard_input);
}
