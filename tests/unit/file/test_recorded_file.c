// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_recorded_file.c: recordings that are rotated, limited, and begun anew after errors. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/recording.h>

#include "file/recorded_file.h"
#include "support/agent/file_run.h"
#include "support/machine/scratch.h"
#include "unit/recorder/recording_sink.h"
#include "unit/suite.h"

static struct recorded_file *file;
static uint64_t recorded, dropped, waiting;

static void begin(void)
{
	scratch__make();
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	open_source();
}

static void end(void)
{
	peat_reader__free(source);
	ck_assert_int_eq(chdir("/"), 0);
	scratch__remove();
}

static struct recorded_file *open_file(const char *const *pairs)
{
	struct file_run run;

	file_run__set(&run, pairs);
	file = recorded_file__open(&run.opts, source, "exec", 0);
	return file;
}

#define OPEN(...) open_file((const char *const[]){ "format", "perf", ##__VA_ARGS__, NULL })

/* Passes `count` of the source's events, or all.  Their number. */
static uint64_t pass(uint64_t count)
{
	uint64_t passed = 0;
	const struct peat_event *event;

	while (passed < count && (event = next(source))) {
		int64_t written = recorded_file__write(file, event, 1);

		ck_assert_int_eq(written, 1);
		passed += event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
	}
	return passed;
}

static void check_counts(uint64_t passed)
{
	recorded_file__counts(file, &recorded, &dropped, &waiting);
	ck_assert_uint_eq(recorded + dropped + waiting, passed);
}

/* Events and records in the files of a pattern. */
static uint64_t read_files(const char *pattern)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	char command[128], path[256];
	const struct peat_event *event;
	uint64_t events = 0;
	FILE *names;

	opts.side_band = PEAT_SIDE_BAND_TASK;
	snprintf(command, sizeof(command), "ls -v %s", pattern);
	names = popen(command, "re");
	while (fscanf(names, "%255s", path) == 1) {
		struct peat_reader *reader = peat_reader__open(path, &opts);

		ck_assert_msg(reader, "%s: %s", path, strerror(errno));
		while ((event = next(reader)))
			events +=
				event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
		ck_assert_int_eq(peat_reader__wait(reader, 0), -ENODATA);
		peat_reader__free(reader);
	}
	pclose(names);
	return events;
}

START_TEST(test_one_file)
{
	uint64_t passed;

	ck_assert_ptr_nonnull(OPEN("file", "a.%s.data"));
	passed = pass(UINT64_MAX);
	ck_assert_uint_ge(passed, SAMPLES + EXECS);
	ck_assert_int_eq(recorded_file__pause(file), 0);
	check_counts(passed);
	ck_assert_int_eq(recorded_file__finish(file), 0);
	check_counts(passed);
	ck_assert_uint_eq(waiting, 0);
	ck_assert_uint_eq(read_files("a.exec.data"), recorded);
	recorded_file__close(file);
}
END_TEST

/* A file for every hundred events: no event is lost between two. */
START_TEST(test_rotation_loses_nothing)
{
	uint64_t passed = 0, more;

	ck_assert_ptr_nonnull(
		OPEN("file", "a", "max-size", "4K", "compress", "zstd", "sync", "rotate"));
	while ((more = pass(100))) {
		passed += more;
		ck_assert_int_eq(recorded_file__pause(file), 0);
		check_counts(passed);
	}
	ck_assert_int_eq(recorded_file__finish(file), 0);
	check_counts(passed);
	ck_assert_uint_eq(waiting, 0);
	ck_assert_int_eq(system("test $(ls a.* | wc -l) -ge 3"), 0);
	ck_assert_uint_eq(read_files("a*"), recorded);
	recorded_file__close(file);
}
END_TEST

START_TEST(test_keeps_two_files)
{
	ck_assert_ptr_nonnull(OPEN("file", "a", "max-size", "4K", "keep", "2"));
	while (pass(100))
		ck_assert_int_eq(recorded_file__pause(file), 0);
	recorded_file__close(file);
	ck_assert_int_eq(system("test $(ls a.* | wc -l) = 2"), 0);
}
END_TEST

/* Another program renames the file; an existing file at the start is renamed, and not replaced. */
START_TEST(test_moved_and_existing)
{
	uint64_t passed;

	close(scratch__file("a", "precious"));
	ck_assert_ptr_nonnull(OPEN("file", "a"));
	ck_assert_int_eq(system("test $(cat a.*) = precious && rm a.*"), 0);
	passed = pass(100);
	ck_assert_int_eq(rename("a", "b"), 0);
	ck_assert_int_eq(recorded_file__pause(file), 0);
	passed += pass(UINT64_MAX);
	ck_assert_int_eq(recorded_file__finish(file), 0);
	check_counts(passed);
	ck_assert_uint_eq(read_files("a b"), recorded);
	ck_assert_uint_ge(read_files("b"), 100);
	recorded_file__close(file);
}
END_TEST

/* The events written before stay readable; later events go to a new file. */
START_TEST(test_error_and_recovery)
{
	struct rlimit limit = { 0, RLIM_INFINITY };
	uint64_t passed;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_ptr_nonnull(OPEN("file", "a"));
	passed = pass(100);
	ck_assert_int_eq(recorded_file__pause(file), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	passed += pass(100);
	for (int i = 0; i < 100 && !recorded_file__pause(file); i++)
		usleep(10000);
	ck_assert_int_eq(recorded_file__pause(file), -EFBIG);
	passed += pass(100);
	check_counts(passed);
	ck_assert_uint_ge(dropped, 100);
	limit.rlim_cur = RLIM_INFINITY;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 100 && recorded_file__pause(file); i++)
		usleep(100000);
	passed += pass(100);
	ck_assert_int_eq(recorded_file__finish(file), 0);
	check_counts(passed);
	ck_assert_uint_eq(waiting, 0);
	ck_assert_uint_ge(read_files("a"), 100);
	recorded_file__close(file);
}
END_TEST

START_TEST(test_pcapng_counts)
{
	uint64_t passed;

	ck_assert_ptr_nonnull(
		open_file((const char *const[]){ "format", "pcapng", "file", "a", NULL }));
	passed = pass(100);
	ck_assert_int_eq(recorded_file__pause(file), 0);
	check_counts(passed);
	ck_assert_uint_eq(dropped, passed); /* none is a packet */
	ck_assert_int_eq(recorded_file__finish(file), 0);
	recorded_file__close(file);
}
END_TEST

START_TEST(test_refused_files)
{
	struct file_run run;

	ck_assert_ptr_null(OPEN("file", "/proc/none/a"));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(symlink("b", "a"), 0);
	ck_assert_ptr_null(OPEN("file", "a"));
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_ptr_null(OPEN("bogus", "a"));
	ck_assert_int_eq(errno, EINVAL);
	file_run__set(&run, (const char *const[]){ "format", "json", NULL });
	ck_assert(!recorded_file__is_wanted(&run.opts));
	file_run__set(&run, (const char *const[]){ "format", "pcapng", NULL });
	ck_assert(recorded_file__is_wanted(&run.opts));
	recorded_file__close(NULL);
}
END_TEST

FORKED_SUITE(30)
{
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_one_file);
	tcase_add_test(tests, test_rotation_loses_nothing);
	tcase_add_test(tests, test_keeps_two_files);
	tcase_add_test(tests, test_moved_and_existing);
	tcase_add_test(tests, test_error_and_recovery);
	tcase_add_test(tests, test_pcapng_counts);
	tcase_add_test(tests, test_refused_files);
}
