// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_fileslow.c: the probe fileslow: slow reads, writes, syncs and opens of files. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/scratch.h"
#include "support/machine/slow_memory.h"
#include "support/machine/tracing.h"

#define SLOW_US 50000

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void start(struct tracing *tracing, const char *probe)
{
	tracing__start(tracing, TRACE(probe, "-p", own_pid()));
}

/* The number of the event of this process with this operation, from event `*from` on. */
static const char *next(const struct tracing *tracing, const char *op, size_t *from)
{
	const char *event;

	while ((event = tracing__next(tracing, "fileslow", getpid(), from)))
		if (!strcmp(json_lines__text(event, "op"), op))
			return event;
	return NULL;
}

static void expect_latency(const char *event, long long measured)
{
	ck_assert_int_ge(json_lines__number(event, "latency"), SLOW_US * 1000LL);
	ck_assert_int_le(json_lines__number(event, "latency"), measured);
}

/* ---- slow calls ------------------------------------------------------------------------------ */

START_TEST(test_slow_read)
{
	int fd = scratch__file("read", "0123456789"), pipe_fds[2];
	struct slow_memory memory;
	struct tracing tracing;
	const char *event;
	long long took;
	char fast[4];

	ck_assert_int_eq(pipe(pipe_fds), 0);
	slow_memory__make(&memory, "", SLOW_US, NULL, NULL);
	start(&tracing, "fileslow,min=40ms");
	ck_assert_int_eq(read(fd, fast, sizeof(fast)), 4);
	took = now_ns();
	ck_assert_int_eq(read(fd, memory.page, 100), 6);
	took = now_ns() - took;
	tracing__stop(&tracing);
	slow_memory__free(&memory);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = tracing__only(&tracing, "fileslow", getpid());
	expect_number(event, "tid", getpid());
	expect_text(event, "op", "read");
	expect_text(event, "path", scratch__path("read"));
	expect_number(event, "bytes", 6);
	expect_number(event, "result", 6);
	expect_number(event, "offset", 4);
	expect_latency(event, took);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_slow_write)
{
	struct slow_memory memory;
	int fd = scratch__file("write", "0123456789");
	struct tracing tracing;
	const char *event;
	long long took;

	slow_memory__make(&memory, "abc", SLOW_US, NULL, NULL);
	start(&tracing, "fileslow,min=40ms");
	took = now_ns();
	ck_assert_int_eq(pwrite(fd, memory.page, 3, 7000), 3);
	took = now_ns() - took;
	tracing__stop(&tracing);
	slow_memory__free(&memory);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = tracing__only(&tracing, "fileslow", getpid());
	expect_text(event, "op", "write");
	expect_text(event, "path", scratch__path("write"));
	expect_number(event, "bytes", 3);
	expect_number(event, "offset", 7000);
	expect_latency(event, took);
	tracing__free(&tracing);
}
END_TEST

static void check_slow_open(const char *path, bool exists)
{
	struct slow_memory memory;
	struct tracing tracing;
	const char *event;
	long long took;
	long fd;

	slow_memory__make(&memory, path, SLOW_US, NULL, NULL);
	start(&tracing, "fileslow,min=40ms");
	took = now_ns();
	fd = syscall(SYS_openat, AT_FDCWD, memory.page, O_RDONLY);
	took = now_ns() - took;
	tracing__stop(&tracing);
	slow_memory__free(&memory);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = tracing__only(&tracing, "fileslow", getpid());
	expect_text(event, "op", "open");
	expect_text(event, "path", path);
	expect_number(event, "bytes", 0);
	expect_number(event, "offset", 0);
	if (exists)
		expect_number(event, "result", fd);
	else
		expect_text(event, "result", "ENOENT");
	expect_latency(event, took);
	tracing__free(&tracing);
}

START_TEST(test_slow_open)
{
	scratch__file("open", "");
	check_slow_open(scratch__path("open"), true);
	check_slow_open("/no/such/file", false);
}
END_TEST

static int replaced_fd;

static void replace(void *other)
{
	ck_assert_int_eq(dup2(*(int *)other, replaced_fd), replaced_fd);
}

/* The descriptor is that of another file when the read returns. */
START_TEST(test_replaced_file)
{
	int other = scratch__file("other", "");
	struct slow_memory memory;
	struct tracing tracing;
	const char *event;

	replaced_fd = scratch__file("replaced", "0123456789");
	slow_memory__make(&memory, "", SLOW_US, replace, &other);
	start(&tracing, "fileslow,min=40ms");
	ck_assert_int_eq(read(replaced_fd, memory.page, 10), 10);
	tracing__stop(&tracing);
	slow_memory__free(&memory);
	event = tracing__only(&tracing, "fileslow", getpid());
	expect_text(event, "path", "");
	expect_number(event, "bytes", 10);
	expect_number(event, "offset", 0);
	tracing__free(&tracing);
}
END_TEST

/* ---- all calls ------------------------------------------------------------------------------- */

/* The next one of the test's calls: the test library writes files, too. */
static const char *next_call(const struct tracing *tracing, const char *op, size_t *from)
{
	const char *event;

	do
		event = next(tracing, op, from);
	while (event && strcmp(json_lines__text(event, "path"), scratch__path("calls")));
	return event;
}

START_TEST(test_calls_with_bytes_and_offsets)
{
	char first[] = "ab", second[] = "cde";
	struct iovec parts[2] = { { first, 2 }, { second, 3 } };
	struct tracing tracing;
	const char *event;
	char buffer[100];
	size_t from = 0;
	int fd = scratch__file("calls", "0123456789");

	start(&tracing, "fileslow,min=0ns");
	process__pin();
	ck_assert_int_eq(pread(fd, buffer, 100, 3), 7);
	ck_assert_int_eq(read(fd, buffer, 4), 4);
	ck_assert_int_eq(writev(fd, parts, 2), 5);
	ck_assert_int_eq(pwritev(fd, parts, 1, 5000), 2);
	ck_assert_int_eq(pwritev2(fd, parts, 2, -1, 0), 5);
	ck_assert_int_eq(fsync(fd), 0);
	ck_assert_int_eq(fdatasync(fd), 0);
	tracing__stop(&tracing);
	event = next_call(&tracing, "read", &from);
	expect_number(event, "bytes", 7);
	expect_number(event, "offset", 3);
	event = next_call(&tracing, "read", &from);
	expect_number(event, "bytes", 4);
	expect_number(event, "offset", 0);
	event = next_call(&tracing, "write", &from);
	expect_number(event, "bytes", 5);
	expect_number(event, "offset", 4);
	event = next_call(&tracing, "write", &from);
	expect_number(event, "bytes", 2);
	expect_number(event, "offset", 5000);
	event = next_call(&tracing, "write", &from);
	expect_number(event, "bytes", 5);
	expect_number(event, "offset", 9);
	for (int i = 0; i < 2; i++) {
		event = next_call(&tracing, "fsync", &from);
		expect_number(event, "result", 0);
		expect_number(event, "bytes", 0);
		expect_number(event, "offset", 0);
		ck_assert_int_gt(json_lines__number(event, "latency"), 0);
	}
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_copies_and_allocations)
{
	int fd = scratch__file("calls", "0123456789"), to = scratch__file("copy", "");
	loff_t from_offset = 2;
	struct tracing tracing;
	const char *event;
	size_t from = 0;
	ssize_t copied;

	start(&tracing, "fileslow,min=0ns");
	process__pin();
	copied = copy_file_range(fd, &from_offset, to, NULL, 5, 0);
	ck_assert_int_eq(fallocate(fd, 0, 0, 4096), 0);
	ck_assert_int_eq(syncfs(fd), 0);
	tracing__stop(&tracing);
	ck_assert_int_eq(copied, 5);
	event = next_call(&tracing, "copy", &from);
	expect_number(event, "bytes", 5);
	expect_number(event, "result", 5);
	event = next_call(&tracing, "fallocate", &from);
	expect_number(event, "bytes", 0);
	expect_number(event, "result", 0);
	event = next_call(&tracing, "syncfs", &from);
	expect_number(event, "result", 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_failures_alone_are_traced)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0;
	char byte;
	int fd;

	scratch__file("failed", "");
	fd = open(scratch__path("failed"), O_WRONLY);
	start(&tracing, "fileslow,min=0ns,failed");
	ck_assert_int_lt(read(fd, &byte, 1), 0);
	ck_assert_int_lt(open("/no/such/file", O_RDONLY), 0);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	event = next(&tracing, "read", &from);
	expect_text(event, "result", "EBADF");
	expect_text(event, "path", scratch__path("failed"));
	expect_number(event, "bytes", 0);
	event = next(&tracing, "open", &from);
	expect_text(event, "result", "ENOENT");
	expect_text(event, "path", "/no/such/file");
	tracing__free(&tracing);
}
END_TEST

/* ---- silence --------------------------------------------------------------------------------- */

START_TEST(test_fast_calls)
{
	int fd = scratch__file("fast", "0123456789");
	struct tracing tracing;
	char buffer[10];

	start(&tracing, "fileslow,min=1h");
	ck_assert_int_eq(read(fd, buffer, 10), 10);
	ck_assert_int_eq(fsync(fd), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

static void read_pipe(struct tracing *tracing, const char *probe)
{
	struct slow_memory memory;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	slow_memory__make(&memory, "", SLOW_US, NULL, NULL);
	start(tracing, probe);
	ck_assert_int_eq(write(fds[1], "slow", 4), 4);
	ck_assert_int_eq(read(fds[0], memory.page, 4), 4);
	tracing__stop(tracing);
	slow_memory__free(&memory);
}

/* Pipes wait by their nature. */
START_TEST(test_pipes_are_left_out)
{
	struct tracing tracing;
	const char *event;

	read_pipe(&tracing, "fileslow,min=40ms");
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
	read_pipe(&tracing, "fileslow,min=40ms,all");
	event = tracing__only(&tracing, "fileslow", getpid());
	expect_text(event, "op", "read");
	expect_number(event, "bytes", 4);
	expect_number(event, "offset", 0);
	expect_text(event, "path", "[pipe]");
	tracing__free(&tracing);
}
END_TEST

/* ---- paths ----------------------------------------------------------------------------------- */

/* Syncs a file, and expects this path. */
static void check_path(int fd, const char *path)
{
	struct tracing tracing;
	size_t from = 0;
	const char *event;

	ck_assert_int_ge(fd, 0);
	start(&tracing, "fileslow,min=0ns");
	ck_assert_int_eq(fsync(fd), 0);
	tracing__stop(&tracing);
	event = next(&tracing, "fsync", &from);
	ck_assert_ptr_nonnull(event);
	expect_text(event, "path", path);
	tracing__free(&tracing);
}

START_TEST(test_path_across_mounts)
{
	char outer[80], inner[100];

	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	snprintf(outer, sizeof(outer), "%s", scratch__path("outer"));
	snprintf(inner, sizeof(inner), "%s/inner", outer);
	ck_assert_int_eq(mkdir(outer, 0700), 0);
	ck_assert_int_eq(mount("none", outer, "tmpfs", 0, NULL), 0);
	ck_assert_int_eq(mkdir(inner, 0700), 0);
	ck_assert_int_eq(mount("none", inner, "tmpfs", 0, NULL), 0);
	check_path(scratch__file("outer/inner/file", ""), scratch__path("outer/inner/file"));
	check_path(open(inner, O_RDONLY | O_DIRECTORY), inner);
	check_path(open("/", O_RDONLY | O_DIRECTORY), "/");
	ck_assert_int_eq(umount(inner), -1); /* a file in it is open */
	ck_assert_int_eq(umount2(inner, MNT_DETACH), 0);
	ck_assert_int_eq(umount2(outer, MNT_DETACH), 0);
}
END_TEST

/* As the process sees it. */
START_TEST(test_path_in_another_root)
{
	int fd = scratch__file("file", ""), old_root = open("/", O_RDONLY | O_DIRECTORY);
	struct tracing tracing;
	const char *event;
	size_t from = 0;

	start(&tracing, "fileslow,min=0ns");
	ck_assert_int_eq(chroot(scratch__dir()), 0);
	ck_assert_int_eq(fsync(fd), 0);
	ck_assert_int_eq(fchdir(old_root), 0);
	ck_assert_int_eq(chroot("."), 0);
	tracing__stop(&tracing);
	event = next(&tracing, "fsync", &from);
	expect_text(event, "path", "/file");
	tracing__free(&tracing);
}
END_TEST

/* Makes directories in directories, and a file in the last.  Returns the file. */
static int make_deep(const char *name, int depth)
{
	int at = open(scratch__dir(), O_RDONLY | O_DIRECTORY), next_at;

	for (int i = 0; i < depth; i++) {
		ck_assert_int_eq(mkdirat(at, name, 0700), 0);
		next_at = openat(at, name, O_RDONLY | O_DIRECTORY);
		close(at);
		at = next_at;
	}
	return openat(at, "last", O_RDWR | O_CREAT, 0600);
}

static void check_cut_path(const char *name, int depth, size_t least)
{
	struct tracing tracing;
	const char *event, *path;
	char end[300];
	size_t from = 0;
	int fd = make_deep(name, depth);

	ck_assert_int_ge(fd, 0);
	start(&tracing, "fileslow,min=0ns");
	ck_assert_int_eq(fsync(fd), 0);
	tracing__stop(&tracing);
	event = next(&tracing, "fsync", &from);
	path = json_lines__text(event, "path");
	snprintf(end, sizeof(end), "/%s/last", name);
	ck_assert_msg(!strncmp(path, ".../", 4), "%s", path);
	ck_assert_uint_ge(strlen(path), least);
	ck_assert_uint_lt(strlen(path), 512);
	ck_assert_str_eq(path + strlen(path) - strlen(end), end);
	for (const char *part = path + 3; strlen(part) > strlen("/last"); part += strlen(name) + 1)
		ck_assert_msg(!strncmp(part + 1, name, strlen(name)), "%s in %s", part, path);
	tracing__free(&tracing);
}

START_TEST(test_cut_paths)
{
	char longest[256];

	memset(longest, 'x', 255);
	longest[255] = '\0';
	check_cut_path(longest, 3, 4 + 255 + 5);
	check_cut_path("twenty-four-characters-x", 40, 450);
	check_cut_path("d", 80, 4 + 47 * 2);
}
END_TEST

static Suite *fileslow_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("fileslow", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_slow_read);
	tcase_add_test(tests, test_slow_write);
	tcase_add_test(tests, test_slow_open);
	tcase_add_test(tests, test_replaced_file);
	tcase_add_test(tests, test_calls_with_bytes_and_offsets);
	tcase_add_test(tests, test_copies_and_allocations);
	tcase_add_test(tests, test_failures_alone_are_traced);
	tcase_add_test(tests, test_fast_calls);
	tcase_add_test(tests, test_pipes_are_left_out);
	tcase_add_test(tests, test_path_across_mounts);
	tcase_add_test(tests, test_path_in_another_root);
	tcase_add_test(tests, test_cut_paths);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { fileslow_suite };

	return harness__main(argc, argv, suites, 1);
}
