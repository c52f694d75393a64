// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_full_disk.c: outputs to files on a disk of 8 MiB that fills. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/agent/file_run.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"

#define DISK "/tmp/peat-full-disk"

static struct file_run run;

static void begin(void)
{
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(system("mkdir -p " DISK), 0);
	ck_assert_int_eq(mount("disk", DISK, "tmpfs", 0, "size=8m"), 0);
	ck_assert_int_eq(chdir(DISK), 0);
	run = (struct file_run){ 0 };
}

static void end(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	umount2(DISK, MNT_DETACH);
	rmdir(DISK);
}

#define OPEN(...)                                                                                  \
	do {                                                                                       \
		file_run__open(&run, (const char *const[]){ "file", "a", ##__VA_ARGS__, NULL });   \
		ck_assert_ptr_nonnull(run.output);                                                 \
	} while (0)

/* Writes until the disk is full.  The batch that did not fit waits. */
static void fill(void)
{
	while (run.events == run.next)
		ck_assert_int_eq(file_run__write(&run, 1500), 0);
	file_output.acknowledged(run.output, 0);
	ck_assert_int_eq(file_run__write(&run, 1500), -EAGAIN);
}

static void write_on(unsigned batches)
{
	for (unsigned i = 0; i < batches; i++) {
		while (file_run__write(&run, 1500) == -EAGAIN)
			file_output.acknowledged(run.output, 1000);
	}
}

/* The lines in the file are whole all the time.  When there is space, writing goes on. */
static void check_waits(const char *compress, const char *command)
{
	struct peat_output *output;

	OPEN("compress", compress, "sync", "batch");
	output = run.output;
	fill();
	ck_assert_uint_eq(file_run__check(0, command), run.events);
	ck_assert_int_eq(file_output.acknowledged(output, 1500), 0);
	ck_assert_uint_eq(file_run__check(0, command), run.events);
	ck_assert_int_eq(mount(NULL, DISK, NULL, MS_REMOUNT, "size=16m"), 0);
	while (!file_output.acknowledged(output, 1500))
		;
	ck_assert_uint_eq(run.events, run.next);
	write_on(3);
	file_run__close(&run);
	ck_assert_uint_eq(run.events, run.next);
	ck_assert_uint_eq(run.refused, 0);
	ck_assert_uint_eq(file_run__check(0, command), run.next);
}

START_TEST(test_waits_for_space)
{
	need_program("zstd");
	check_waits("none", "cat a");
}
END_TEST

START_TEST(test_waits_compressed)
{
	need_program("zstd");
	check_waits("zstd", "zstd -dc <a");
}
END_TEST

/* Rotation and removal by another program: the file that it leaves is whole, too. */
START_TEST(test_goes_on_in_another_file)
{
	need_program("zstd");
	OPEN("compress", "zstd");
	fill();
	ck_assert_int_eq(rename("a", "b"), 0);
	ck_assert_uint_eq(file_run__check(0, "zstd -dc <b"), run.events);
	ck_assert_int_eq(unlink("b"), 0);
	while (!file_output.acknowledged(run.output, 1500))
		;
	write_on(10);
	file_run__close(&run);
	ck_assert_uint_eq(run.events, run.next);
	ck_assert_uint_eq(file_run__check(run.next - 1500 * 11, "zstd -dc <a"), run.next);
}
END_TEST

/* Without a quota, the oldest files make room, if the policy is so; and no others. */
static void check_removes(const char *compress, const char *command)
{
	uint64_t first;

	ck_assert_int_eq(system("head -c 1000000 /dev/zero >a.json.20000101-000000"), 0);
	OPEN("compress", compress, "max-size", "1M", "disk-full", "remove-oldest");
	for (uint64_t bytes = 0; bytes < 32 << 20; bytes += 1500 * 20) {
		ck_assert_int_eq(file_run__write(&run, 1500), 0);
		ck_assert_uint_eq(run.events, run.next);
	}
	file_run__close(&run);
	first = file_run__first(command);
	ck_assert_uint_eq(file_run__check(first, command), run.next);
	ck_assert_uint_gt(first, 0);
	ck_assert_int_eq(access("a.json.20000101-000000", F_OK), 0);
}

START_TEST(test_removes_oldest)
{
	need_program("zstd");
	check_removes("none", "cat $(ls -v a.2*) a");
}
END_TEST

START_TEST(test_removes_oldest_compressed)
{
	need_program("zstd");
	check_removes("zstd", "cat $(ls -v a.2*) a | zstd -dc");
}
END_TEST

START_TEST(test_quota_is_kept)
{
	need_program("zstd");
	OPEN("quota", "6M", "compress", "zstd");
	write_on(1500);
	file_run__close(&run);
	ck_assert_uint_eq(run.events, run.next);
	ck_assert_int_eq(system("test $(cat a* | wc -c) -le 6291456"), 0);
	file_run__check(file_run__first("cat $(ls -v a.2*) a | zstd -dc"),
			"cat $(ls -v a.2*) a | zstd -dc");
}
END_TEST

static long most_kib(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* Frees full batches, as many as batch/spare_buffers.h keeps the memory of. */
static void fill_spare_buffers(void)
{
	struct peat_batch *batches[16];

	for (size_t i = 0; i < 16; i++)
		batches[i] = file_run__batch(1, 1500);
	for (size_t i = 0; i < 16; i++)
		peat_batch__unref(batches[i]);
}

/* The text of a batch is all that the output adds to the memory of its caller. */
START_TEST(test_memory_stays_small)
{
	long before;

	need_program("zstd");
	fill_spare_buffers();
	OPEN("compress", "none");
	ck_assert_int_eq(file_run__write(&run, 1500), 0);
	before = most_kib();
	fill();
	for (int i = 0; i < 5; i++)
		file_output.acknowledged(run.output, 1100);
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory */
	ck_assert_int_le(most_kib(), before + 1024);
#else
	(void)before;
#endif
	file_run__close(&run);
	ck_assert_uint_eq(run.events + run.refused, run.next);
}
END_TEST

static Suite *suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("full_disk", 120, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_waits_for_space);
	tcase_add_test(tests, test_waits_compressed);
	tcase_add_test(tests, test_goes_on_in_another_file);
	tcase_add_test(tests, test_removes_oldest);
	tcase_add_test(tests, test_removes_oldest_compressed);
	tcase_add_test(tests, test_quota_is_kept);
	tcase_add_test(tests, test_memory_stays_small);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { suite };

	return harness__main(argc, argv, suites, 1);
}
