// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_recorded_files.c: live events in recordings that are rotated, on a disk that fills. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/recorded_file.h"
#include "support/agent/file_run.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"

#define DISK "/tmp/peat-recorded-files"

static struct peat_reader *reader;
static struct recorded_file *file;
static char peat[4096];
static uint64_t passed, recorded, dropped, waiting;

static void begin(void)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	ck_assert_ptr_nonnull(realpath(command__peat(), peat));
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(system("mkdir -p " DISK), 0);
	ck_assert_int_eq(mount("disk", DISK, "tmpfs", 0, "size=8m"), 0);
	ck_assert_int_eq(chdir(DISK), 0);
	opts.side_band = PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM;
	opts.names = true;
	reader = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(reader);
	passed = 0;
}

static void end(void)
{
	peat_reader__free(reader);
	ck_assert_int_eq(chdir("/"), 0);
	umount2(DISK, MNT_DETACH);
	rmdir(DISK);
}

static void open_file(const char *const *pairs)
{
	struct file_run run;

	file_run__set(&run, pairs);
	file = recorded_file__open(&run.opts, reader, "tasks", 1 << 20);
	ck_assert_ptr_nonnull(file);
}

#define OPEN(...) open_file((const char *const[]){ "format", "perf", ##__VA_ARGS__, NULL })

static void make_records(unsigned tasks)
{
	for (unsigned i = 0; i < tasks; i++) {
		pid_t child = vfork(); /* fork() takes 8 ms with sanitizers */

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

static void drain(void)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0) {
		passed += event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
		ck_assert_int_eq(recorded_file__write(file, event, 1), 1);
	}
}

static void check_counts(void)
{
	recorded_file__counts(file, &recorded, &dropped, &waiting);
	ck_assert_uint_eq(recorded + dropped + waiting, passed);
}

static void finish(void)
{
	peat_reader__flush(reader);
	drain();
	recorded_file__finish(file);
	check_counts();
	ck_assert_uint_eq(waiting, 0);
	recorded_file__close(file);
}

/* Writes records for so many pauses, and completes the file: nothing is dropped. */
static void record(int pauses)
{
	for (int i = 0; i < pauses; i++) {
		make_records(100);
		drain();
		ck_assert_int_eq(recorded_file__pause(file), 0);
		check_counts();
	}
	finish();
	ck_assert_uint_eq(dropped, 0);
}

/* The forks in the files of a pattern, as the command prints them. */
static unsigned long forks_in(const char *pattern)
{
	char command[4400];
	unsigned long forks;
	FILE *count;

	snprintf(command, sizeof(command),
		 "for f in %s; do %s replay -j $f @task || echo failed; done 2>err | "
		 "grep -c '\"@fork\"'",
		 pattern, peat);
	count = popen(command, "re");
	ck_assert_int_eq(fscanf(count, "%lu", &forks), 1);
	pclose(count);
	return forks;
}

/* Every fork is in one of the files, and each of the files can be replayed. */
START_TEST(test_rotation_loses_nothing)
{
	OPEN("file", "a", "max-size", "16K", "compress", "zstd");
	record(30);
	ck_assert_int_eq(system("test $(ls a.* | wc -l) -ge 2"), 0);
	ck_assert_uint_ge(forks_in("a*"), 3000);
}
END_TEST

START_TEST(test_full_disk)
{
	bool failed = false;

	ck_assert_int_eq(system("head -c 7864320 /dev/zero >ballast"), 0);
	OPEN("file", "%s.data");
	for (int i = 0; i < 300 && !failed; i++) {
		make_records(100);
		drain();
		failed = recorded_file__pause(file) == -ENOSPC;
		check_counts();
	}
	ck_assert(failed);
	ck_assert_uint_gt(dropped, 0);
	ck_assert_int_eq(unlink("ballast"), 0);
	usleep(1100000);
	make_records(100);
	drain();
	ck_assert_int_eq(recorded_file__pause(file), 0);
	finish();
	ck_assert_uint_ge(forks_in("tasks.data"), 100);
	ck_assert_uint_ge(forks_in("tasks.data.*"), 100);
}
END_TEST

/* The oldest files make room: no event is lost for long. */
START_TEST(test_removes_oldest)
{
	OPEN("file", "a", "max-size", "128K", "quota", "512K");
	record(60);
	ck_assert_int_eq(system("test $(cat a* | wc -c) -le 655360"), 0);
}
END_TEST

static Suite *suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recorded_files", 120, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_rotation_loses_nothing);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_removes_oldest);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { suite };

	return harness__main(argc, argv, suites, 1);
}
