// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_bio.c: the probe bio: reads, writes and failures of a disk of this process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/loop_disk.h"
#include "support/machine/tracing.h"

#define DISK_BYTES (4 << 20)
#define SECTOR	   512

static struct loop_disk disk;
static char where[64];
static void *block;

static void setup(void)
{
	loop_disk__open(&disk, DISK_BYTES);
	snprintf(where, sizeof(where), "dev == \"%s\"", disk.name);
	ck_assert_int_eq(posix_memalign(&block, 4096, 65536), 0);
	memset(block, 'x', 65536);
}

static void teardown(void)
{
	free(block);
	loop_disk__close(&disk);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static const char *text_of(pid_t pid)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return text;
}

static const char *only_op(const struct tracing *tracing, const char *op)
{
	const char *found = NULL;

	for (size_t i = 0; i < tracing->events.count; i++) {
		if (strcmp(json_lines__text(tracing->events.lines[i], "op"), op))
			continue;
		ck_assert_msg(!found, "two events of %s", op);
		found = tracing->events.lines[i];
	}
	ck_assert_msg(found, "no event of %s", op);
	return found;
}

static void check_io(const char *event, long long bytes, long long offset, long long took)
{
	long long queued = json_lines__number(event, "queued");
	long long latency = json_lines__number(event, "latency");

	expect_number(event, "tid", getpid());
	expect_text(event, "dev", disk.name);
	expect_number(event, "pid", getpid());
	expect_number(event, "bytes", bytes);
	expect_number(event, "sector", offset / SECTOR);
	expect_number(event, "error", 0);
	ck_assert_msg(queued >= 0 && latency > 0 && queued + latency <= took,
		      "%s: it took %lld ns in all", event, took);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_write_and_read)
{
	long long writing, reading, took;
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("bio", "--where", where, "-p", text_of(getpid())));
	writing = now_ns();
	ck_assert_int_eq(pwrite(disk.fd, block, 8192, 40960), 8192);
	reading = now_ns();
	ck_assert_int_eq(pread(disk.fd, block, 65536, 1 << 20), 65536);
	took = now_ns() - reading;
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	event = only_op(&tracing, "write");
	check_io(event, 8192, 40960, reading - writing);
	expect_text(event, "flags", "sync");
	check_io(only_op(&tracing, "read"), 65536, 1 << 20, took);
	tracing__free(&tracing);
}
END_TEST

/* A flush of the disk's cache has no sector. */
START_TEST(test_flush_has_no_sector)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("bio", "--where", where));
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 0), 4096);
	ck_assert_int_eq(fsync(disk.fd), 0);
	tracing__stop(&tracing);
	event = only_op(&tracing, "flush");
	expect_number(event, "sector", 0);
	expect_number(event, "bytes", 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_failed_write_is_traced)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("bio,failed", "--where", where));
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 0), 4096);
	loop_disk__break(&disk);
	ck_assert_int_lt(pwrite(disk.fd, block, 4096, 8192), 0);
	ck_assert_int_eq(errno, EIO);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = tracing__only(&tracing, "bio", getpid());
	expect_text(event, "op", "write");
	expect_text(event, "error", "EIO");
	expect_number(event, "sector", 8192 / SECTOR);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_no_slow_io)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("bio,min=1h"));
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 0), 4096);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

static int write_when_told(void *fds)
{
	char byte;

	if (read(((int *)fds)[0], &byte, 1) != 1)
		return 1;
	return pwrite(disk.fd, block, 4096, 0) != 4096;
}

/* Filters are those of the task that makes the I/O, in whichever task it completes. */
START_TEST(test_io_of_a_process)
{
	struct tracing tracing;
	int fds[2];
	pid_t child;

	ck_assert_int_eq(pipe(fds), 0);
	child = process__start(write_when_told, fds);
	tracing__start(&tracing, TRACE("bio", "--where", where, "-p", text_of(child)));
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 8192), 4096);
	ck_assert_int_eq(write(fds[1], "x", 1), 1);
	ck_assert_int_eq(process__wait(child), 0);
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 8192), 4096);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	expect_number(tracing__only(&tracing, "bio", child), "sector", 0);
	tracing__free(&tracing);
}
END_TEST

/* The stack is that of the start. */
START_TEST(test_stack_of_the_start)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing,
		       TRACE("bio", "--where", where, "--stacks", "both", "-p", text_of(getpid())));
	ck_assert_int_eq(pwrite(disk.fd, block, 4096, 0), 4096);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "bio", getpid());
	ck_assert_msg(strstr(event, "blkdev_"), "%s", event);
	tracing__free(&tracing);
}
END_TEST

static Suite *bio_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("bio", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_write_and_read);
	tcase_add_test(tests, test_flush_has_no_sector);
	tcase_add_test(tests, test_failed_write_is_traced);
	tcase_add_test(tests, test_no_slow_io);
	tcase_add_test(tests, test_io_of_a_process);
	tcase_add_test(tests, test_stack_of_the_start);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { bio_suite };

	return harness__main(argc, argv, suites, 1);
}
