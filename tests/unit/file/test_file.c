// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_file.c: the output: batches that are written, wait, and are settled. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "batch/spare_buffers.h"
#include "support/agent/file_run.h"
#include "support/machine/amount.h"
#include "support/machine/scratch.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct file_run run;
static const char *path;

static void begin(void)
{
	scratch__make();
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	run = (struct file_run){ 0 };
	path = "a";
}

static void end(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	scratch__remove();
}

#define OPEN(...)                                                                                  \
	do {                                                                                       \
		file_run__open(&run, (const char *const[]){ "file", path, ##__VA_ARGS__, NULL });  \
		ck_assert_ptr_nonnull(run.output);                                                 \
	} while (0)

static void check_all(const char *command)
{
	ck_assert_uint_eq(run.events, run.next);
	ck_assert_uint_eq(run.refused, 0);
	ck_assert_uint_eq(file_run__check(0, command), run.next);
}

START_TEST(test_appends_lines)
{
	struct stat status;

	for (int i = 0; i < 2; i++) {
		OPEN();
		ck_assert_int_eq(file_run__write(&run, 10), 0);
		ck_assert_int_eq(file_output.acknowledged(run.output, -1), 1);
		file_run__close(&run);
	}
	check_all("cat a");
	ck_assert_int_eq(stat("a", &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

/* It is complete after each batch, and an empty batch changes nothing. */
START_TEST(test_compressed_file_is_complete)
{
	OPEN("compress", "zstd", "sync", "batch");
	for (unsigned i = 4; i--;) {
		ck_assert_int_eq(file_run__write(&run, i * 1000), 0);
		ck_assert_uint_eq(file_run__check(0, "zstd -dc <a"), run.next);
	}
	file_run__close(&run);
	OPEN("compress", "zstd", "level", "5");
	ck_assert_int_eq(file_run__write(&run, 1000), 0);
	file_run__close(&run);
	check_all("zstd -dc <a");
}
END_TEST

/* Killed in the middle: the next process goes on where the last whole block ends. */
START_TEST(test_resumes_after_kill)
{
	uint64_t first;
	int status;

	for (int round = 0; round < 3; round++) {
		struct stat found = { 0 };
		pid_t child = fork();

		if (!child) {
			OPEN("compress", "zstd");
			for (;;)
				file_run__write(&run, 5000);
		}
		while (stat(path, &found) || !found.st_size)
			usleep(1000);
		usleep(10000 + 7000 * round);
		kill(child, SIGKILL);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		OPEN("compress", "zstd");
		ck_assert_int_eq(file_run__write(&run, 0), 0);
		first = file_run__check(0, "zstd -dc <a");
		run.next = first;
		ck_assert_int_eq(file_run__write(&run, 10), 0);
		file_run__close(&run);
		ck_assert_uint_eq(file_run__check(0, "zstd -dc <a"), first + 10);
		ck_assert_int_eq(unlink(path), 0);
		run.next = 0;
	}
}
END_TEST

static void cut(off_t bytes)
{
	ck_assert_int_eq(system("cp whole a"), 0);
	ck_assert_int_eq(truncate("a", bytes), 0);
}

/* A file that was cut anywhere has whole lines when the next process has opened it. */
static void check_cuts(const char *level, off_t step)
{
	struct stat whole;

	unlink("a");
	OPEN("compress", "zstd", "level", level);
	ck_assert_int_eq(file_run__write(&run, 3000), 0);
	file_run__close(&run);
	ck_assert_int_eq(rename("a", "whole"), 0);
	ck_assert_int_eq(stat("whole", &whole), 0);
	for (off_t bytes = whole.st_size - 1; bytes > 16; bytes -= step) {
		cut(bytes);
		OPEN("compress", "zstd", "level", level);
		file_run__close(&run);
		ck_assert_uint_le(file_run__check(0, "zstd -dc <a"), 3000);
	}
	run.next = 0;
}

START_TEST(test_resumes_after_cuts)
{
	check_cuts("1", (off_t)amount__step(101, 307));
	check_cuts("19", (off_t)amount__step(499, 1499));
}
END_TEST

START_TEST(test_rotates_by_size)
{
	OPEN("max-size", "4096", "keep", "3");
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(file_run__write(&run, 30), 0);
	ck_assert_uint_eq(run.events, run.next);
	file_run__close(&run);
	ck_assert_int_eq(system("test $(ls | wc -l) = 4"), 0);
	ck_assert_uint_eq(file_run__check(480, "cat $(ls -v a.*) a"), run.next);
}
END_TEST

START_TEST(test_rotates_by_age)
{
	OPEN("max-age", "1s", "compress", "zstd");
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	for (int i = 0; i < 30 && access("err", F_OK); i++) {
		file_output.acknowledged(run.output, 100);
		if (!system("ls a.* >/dev/null 2>&1"))
			break;
	}
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	file_run__close(&run);
	check_all("zstd -dc <$(ls a.*); zstd -dc <a");
	ck_assert_uint_eq(file_run__first("zstd -dc <a"), 10);
}
END_TEST

static uint64_t bytes_of_all(void)
{
	FILE *sizes = popen("stat -c %s *", "re");
	unsigned long long bytes, sum = 0;

	while (fscanf(sizes, "%llu", &bytes) == 1)
		sum += bytes;
	pclose(sizes);
	return sum;
}

START_TEST(test_quota_is_kept)
{
	OPEN("quota", "100K");
	for (int i = 0; i < 60; i++) {
		ck_assert_int_eq(file_run__write(&run, 30), 0);
		ck_assert_uint_le(bytes_of_all(), 100 << 10);
	}
	file_run__close(&run);
	ck_assert_uint_eq(run.events, run.next);
	ck_assert_uint_ge(bytes_of_all(), 60 << 10);
	file_run__check(file_run__first("cat $(ls -v a.*) a"), "cat $(ls -v a.*) a");
	OPEN("quota", "40K"); /* of files before, too */
	ck_assert_uint_le(bytes_of_all(), 40 << 10);
	file_run__close(&run);
}
END_TEST

START_TEST(test_moved_removed_emptied)
{
	OPEN("compress", "zstd");
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	ck_assert_int_eq(rename("a", "b"), 0);
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	ck_assert_uint_eq(file_run__check(0, "zstd -dc <b; zstd -dc <a"), 20);
	ck_assert_int_eq(unlink("a"), 0);
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	ck_assert_int_eq(truncate("a", 0), 0);
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	file_run__close(&run);
	ck_assert_uint_eq(run.events, 40);
	ck_assert_uint_eq(file_run__check(30, "zstd -dc <a"), 40);
}
END_TEST

static void foreign(const char *text)
{
	unlink("a");
	close(scratch__file("a", text));
}

START_TEST(test_foreign_files)
{
	static const char *const plain[] = { "file", "a", NULL };
	static const char *const zstd[] = { "file", "a", "compress", "zstd", NULL };

	foreign("precious\n");
	file_run__open(&run, plain);
	ck_assert_ptr_null(run.output);
	file_run__open(&run, zstd);
	ck_assert_ptr_null(run.output);
	ck_assert_int_eq(errno, EBADMSG);
	ck_assert_int_eq(system("test \"$(cat a)\" = precious"), 0);
	foreign("{\"type\":\"numbered\"");
	OPEN();
	ck_assert_int_eq(file_run__write(&run, 2), 0);
	file_run__close(&run);
	ck_assert_uint_eq(file_run__check(0, "tail -n +2 a"), 2);
}
END_TEST

/* A frame that is damaged in its middle is kept, under another name. */
START_TEST(test_damaged_file)
{
	OPEN("compress", "zstd");
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	file_run__close(&run);
	ck_assert_int_eq(system("echo garbage >>a"), 0);
	OPEN("compress", "zstd");
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	file_run__close(&run);
	ck_assert_uint_eq(file_run__check(10, "zstd -dc <a"), 20);
	ck_assert_uint_eq(file_run__check(0, "zstd -dc <$(ls a.*) 2>err || true"), 10);
}
END_TEST

static void limit_file(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A batch that cannot be written waits, alone; the file has whole lines meanwhile. */
START_TEST(test_batch_waits)
{
	OPEN("sync", "rotate");
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	ck_assert_int_eq(file_output.acknowledged(run.output, 0), 1);
	limit_file(4000);
	ck_assert_int_eq(file_run__write(&run, 30), 0);
	ck_assert_int_eq(file_output.acknowledged(run.output, 10), 0);
	ck_assert_int_eq(file_run__write(&run, 1), -EAGAIN);
	ck_assert_uint_eq(file_run__check(0, "cat a"), 10);
	ck_assert_int_eq(rename("a", "b"), 0); /* the batch is whole in the new file */
	ck_assert_int_eq(file_output.acknowledged(run.output, -1), 0); /* not without limit */
	limit_file(RLIM_INFINITY);
	ck_assert_int_eq(file_output.acknowledged(run.output, -1), 1);
	ck_assert_uint_eq(run.events, 40);
	ck_assert_uint_eq(file_run__check(0, "cat b"), 10);
	ck_assert_uint_eq(file_run__check(10, "cat a"), 40);
	limit_file(5000);
	ck_assert_int_eq(file_run__write(&run, 100), 0);
	file_run__close(&run);
	ck_assert_uint_eq(run.batches, 3);
	ck_assert_uint_eq(run.refused, 100);
	ck_assert_str_eq(run.why, "closed");
	ck_assert_uint_eq(file_run__check(10, "cat a"), 40);
}
END_TEST

/* A pipe that nobody reads for a while. */
START_TEST(test_pipe_fills)
{
	pid_t child;
	int reader;

	ck_assert_int_eq(mkfifo("a", 0600), 0);
	reader = open("a", O_RDONLY | O_NONBLOCK);
	OPEN("compress", "zstd");
	while (run.batches * 1000 == run.next)
		ck_assert_int_eq(file_run__write(&run, 1000), 0);
	file_output.acknowledged(run.output, 0);
	ck_assert_int_eq(file_run__write(&run, 1), -EAGAIN);
	ck_assert_int_eq(file_output.acknowledged(run.output, 10), 0);
	child = fork();
	if (!child) {
		fcntl(reader, F_SETFL, 0);
		dup2(reader, STDIN_FILENO);
		execlp("zstd", "zstd", "-dqo", "text", NULL);
		_exit(1);
	}
	close(reader);
	while (!file_output.acknowledged(run.output, -1))
		;
	ck_assert_uint_eq(run.events, run.next);
	file_run__close(&run);
	ck_assert_int_eq(waitpid(child, &reader, 0), child);
	check_all("cat text");
}
END_TEST

START_TEST(test_standard_output)
{
	int fd = open("out", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	path = "-";
	OPEN();
	ck_assert_int_eq(file_run__write(&run, 10), 0);
	file_run__close(&run);
	ck_assert_int_eq(fcntl(STDOUT_FILENO, F_GETFD), 0);
	check_all("cat out");
}
END_TEST

/* Each allocation fails once: every event is in the file or refused, and lines are whole. */
START_TEST(test_short_memory)
{
	static const char *const pairs[] = { "file", "a",    "compress", "zstd", "max-size",
					     "4096", "keep", "2",	 NULL };
	struct strbuf spare = { 0 };
	struct peat_batch *batch;
	long blocks;

	tzset(); /* libc reads the time zone once */
	OPEN("compress", "zstd");
	file_run__close(&run);
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		run = (struct file_run){ 0 };
		batch = file_run__batch(0, 700);
		fail_alloc__begin(nth);
		file_run__open(&run, pairs);
		for (int i = 0; run.output && i < 3; i++) {
			while (file_output.write(run.output, batch))
				file_output.acknowledged(run.output, 2000);
			while (run.batches == (uint64_t)i)
				file_output.acknowledged(run.output, 2000);
		}
		file_run__close(&run);
		nth = fail_alloc__end() ? nth : UINT_MAX;
		peat_batch__unref(batch);
		while (spare_buffers__take(&spare, 128 << 10)) /* it keeps memory of batches */
			strbuf__free(&spare);
		ck_assert_uint_eq(run.events + run.refused, run.batches * 700);
		ck_assert_int_eq(system("if test -s a; then zstd -qt a; fi; rm -f a*"), 0);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	ck_assert_uint_eq(run.events, 2100);
}
END_TEST

START_TEST(test_refused_outputs)
{
	static const char *const recording[] = { "file", "a", "format", "perf", NULL };
	static const char *const link[] = { "file", "l", "max-size", "1M", NULL };
	static const char *const nowhere[] = { "file", "/proc/none/a", NULL };

	file_run__open(&run, recording);
	ck_assert_ptr_null(run.output);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(symlink("a", "l"), 0);
	file_run__open(&run, link);
	ck_assert_ptr_null(run.output);
	ck_assert_int_eq(errno, ELOOP);
	file_run__open(&run, nowhere);
	ck_assert_ptr_null(run.output);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_eq(peat_output__find("file"), &file_output);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_appends_lines);
	tcase_add_test(tests, test_compressed_file_is_complete);
	tcase_add_test(tests, test_resumes_after_kill);
	tcase_add_test(tests, test_resumes_after_cuts);
	tcase_add_test(tests, test_rotates_by_size);
	tcase_add_test(tests, test_rotates_by_age);
	tcase_add_test(tests, test_quota_is_kept);
	tcase_add_test(tests, test_moved_removed_emptied);
	tcase_add_test(tests, test_foreign_files);
	tcase_add_test(tests, test_damaged_file);
	tcase_add_test(tests, test_batch_waits);
	tcase_add_test(tests, test_pipe_fills);
	tcase_add_test(tests, test_standard_output);
	tcase_add_test(tests, test_short_memory);
	tcase_add_test(tests, test_refused_outputs);
}
