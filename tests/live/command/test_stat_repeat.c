// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat_repeat.c: peat stat -r: means of runs that are known, their end, and their status. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"

#define PEAT command__peat()

/* dd reads each byte by a system call. */
#define CALLS "syscalls:sys_enter_read"
#define READS CALLS "/count==1/"

/* The n-th run appends a line to a file, and reads n * 100 bytes. */
#define COUNT_RUN "echo run >> \"$0\"; n=$(wc -l < \"$0\"); "
#define READ	  "dd if=/dev/zero of=/dev/null bs=1 count=$((n * 100)) 2> /dev/null; "

static struct command peat;
static char path[64]; /* a line per run */

static void expect_status(int status)
{
	ck_assert_msg(peat.status == status, "status %d: %s%s", peat.status, peat.out_text,
		      peat.err_text);
}

static void expect_in(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in %s", part, text);
}

static void run(const char *const *argv, int status)
{
	command__free(&peat);
	unlink(path);
	command__run(&peat, ALL_CAPS, argv);
	expect_status(status);
}

static unsigned lines_in_file(void)
{
	FILE *file = fopen(path, "re");
	unsigned lines = 0;

	while (file && !fscanf(file, "run%*1[\n]"))
		lines++;
	if (file)
		fclose(file);
	return lines;
}

static double member(const char *name)
{
	return strtod(json_lines__raw(peat.out_text, name), NULL);
}

/* ---- means ----------------------------------------------------------------------------------- */

/* The runs count 100, 200 and 300: their standard deviation is 100. */
START_TEST(test_mean_and_deviation_are_exact)
{
	const double deviation = 100 / sqrt(3);

	run(ARGV(PEAT, "stat", "-j", "-r", "3", "-e", READS, "--", "sh", "-c", COUNT_RUN READ,
		 path),
	    0);
	json_event__check(peat.out_text, "runs", 3);
	json_event__check(peat.out_text, "events[0].count", 200);
	json_event__check(peat.out_text, "events[0].amount", 200);
	ck_assert_double_eq_tol(member("events[0].deviation"), deviation, 1e-6);
	ck_assert_double_eq_tol(member("events[0].deviation_percent"), deviation / 2, 1e-6);
	ck_assert_uint_eq(lines_in_file(), 3);
}
END_TEST

START_TEST(test_equal_runs_have_no_deviation)
{
	run(ARGV(PEAT, "stat", "-j", "-r", "4", "-e", READS, "--", "dd", "if=/dev/zero",
		 "of=/dev/null", "bs=1", "count=70"),
	    0);
	json_event__check(peat.out_text, "events[0].count", 70);
	json_event__check(peat.out_text, "events[0].deviation", 0);
	ck_assert_double_gt(member("seconds"), 0);
	ck_assert_double_gt(member("seconds_deviation"), 0);
	ck_assert_double_eq_tol(member("seconds_deviation_percent"),
				100 * member("seconds_deviation") / member("seconds"), 1e-3);
}
END_TEST

START_TEST(test_prints_deviation)
{
	run(ARGV(PEAT, "stat", "-r", "3", "-e", READS, "--", "sh", "-c", COUNT_RUN READ, path), 0);
	expect_in(peat.err_text, "(3 runs):\n");
	expect_in(peat.err_text, "               200      " CALLS);
	expect_in(peat.err_text, " ( +- 28.87% )\n");
	expect_in(peat.err_text, " seconds time elapsed  ( +-");
	run(ARGV(PEAT, "stat", "-x,", "-r", "3", "-e", READS, "--", "sh", "-c", COUNT_RUN READ,
		 path),
	    0);
	expect_in(peat.out_text, "200,," CALLS ",28.87%,");
	run(ARGV(PEAT, "stat", "-r", "1", "-e", READS, "--", "sh", "-c", COUNT_RUN READ, path), 0);
	ck_assert_msg(!strstr(peat.err_text, "+-") && !strstr(peat.err_text, "run)"), "%s",
		      peat.err_text);
}
END_TEST

#define PERF_STAT "perf stat -x, -r 3 -e syscalls:sys_enter_read --filter count==1 -- sh -c "

/* perf 6.1 prints the count of the last run instead of the mean, so the product is compared. */
START_TEST(test_same_deviation_as_perf)
{
	char line[512], *theirs, *percent;

	need_perf();
	mounts__need_tracefs();
	unlink(path);
	snprintf(line, sizeof(line), PERF_STAT "'%s' %s 2>&1", COUNT_RUN READ, path);
	theirs = stock_perf__shell(line);
	percent = strstr(theirs, CALLS ",");
	ck_assert_msg(percent, "%s", theirs);
	ck_assert_double_eq_tol(strtod(theirs, NULL) * strtod(percent + strlen(CALLS ","), NULL),
				100 * 100 / sqrt(3), 5);
	free(theirs);
}
END_TEST

START_TEST(test_runs_of_all_cpus)
{
	run(ARGV(PEAT, "stat", "-a", "-A", "-j", "-r", "2", "-d", "50ms", "-e", "task-clock"), 0);
	json_event__check(peat.out_text, "runs", 2);
	json_event__check(peat.out_text, "events[0].cpu", 0);
	ck_assert(json_event__has(peat.out_text, "events[0].deviation"));
	ck_assert_double_gt(member("seconds"), 0.04);
	ck_assert(!json_event__has(peat.out_text, "user_seconds"));
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

START_TEST(test_status_of_last_run)
{
	run(ARGV(PEAT, "stat", "-r", "3", "-e", "page-faults", "--", "sh", "-c",
		 COUNT_RUN "exit $((n + 3))", path),
	    6);
	ck_assert_uint_eq(lines_in_file(), 3);
}
END_TEST

START_TEST(test_command_that_cannot_run)
{
	const char *message;

	run(ARGV(PEAT, "stat", "-r", "5", "-e", "page-faults", "--", "/no/such/program"), 127);
	message = strstr(peat.err_text, "cannot run /no/such/program");
	ck_assert_ptr_nonnull(message);
	ck_assert_ptr_null(strstr(message + 1, "cannot run"));
}
END_TEST

/* Interrupts the run that prints "ready". */
static void interrupt(const char *script)
{
	unlink(path);
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "stat", "-r", "9", "-e", READS, "--", "sh", "-c", script, path));
	command__expect(peat.out, "ready");
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	expect_status(0);
}

/* The run that was interrupted is left out. */
START_TEST(test_signal_ends_all_runs)
{
	interrupt(COUNT_RUN READ "test $n = 1 || { echo ready; exec sleep 60; }");
	ck_assert_uint_eq(lines_in_file(), 2);
	expect_in(peat.err_text, "(1 of 9 runs):\n");
	expect_in(peat.err_text, "               100      " CALLS);
	ck_assert_ptr_null(strstr(peat.err_text, "+-"));
}
END_TEST

/* But there are no other counts if it is the first. */
START_TEST(test_signal_ends_first_run)
{
	interrupt(COUNT_RUN READ "echo ready; exec sleep 60");
	ck_assert_uint_eq(lines_in_file(), 1);
	expect_in(peat.err_text, "               100      " CALLS);
}
END_TEST

static int sleep_a_while(void *arg)
{
	(void)arg;
	usleep(300000);
	return 0;
}

/* The counts until then are printed. */
START_TEST(test_end_of_task_ends_all_runs)
{
	char pid_text[16];
	pid_t pid = process__start(sleep_a_while, NULL);

	snprintf(pid_text, sizeof(pid_text), "%d", (int)pid);
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "stat", "-j", "-r", "1000000", "-d", "50ms", "-e", "task-clock",
			    "-p", pid_text));
	process__wait(pid);
	command__finish(&peat);
	ck_assert_msg(json_event__number(peat.out_text, "runs") < 1000, "%s%s", peat.out_text,
		      peat.err_text);
}
END_TEST

/* ---- mistakes -------------------------------------------------------------------------------- */

static void check(const char *const *argv, const char *message)
{
	run(argv, 64);
	expect_in(peat.err_text, message);
}

START_TEST(test_mistakes_name_reason)
{
	check(ARGV(PEAT, "stat", "-r", "0", "--", "true"), "use -r 1 or more");
	check(ARGV(PEAT, "stat", "-r", "x", "--", "true"), "not a number of runs");
	check(ARGV(PEAT, "stat", "-r", "-1", "--", "true"), "not a number of runs");
	check(ARGV(PEAT, "stat", "-r", "2", "-i", "1", "--", "true"), "-r and -i exclude");
	check(ARGV(PEAT, "stat", "-r", "2", "-I", "100", "--", "true"), "-r and -i exclude");
	check(ARGV(PEAT, "stat", "-r", "2", "-a"), "-r needs runs that end");
}
END_TEST

static void setup(void)
{
	snprintf(path, sizeof(path), "/tmp/peat-stat-repeat-%d", (int)getpid());
}

static void teardown(void)
{
	unlink(path);
	command__free(&peat);
	peat = (struct command){ 0 };
}

static Suite *stat_repeat_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stat_repeat", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_mean_and_deviation_are_exact);
	tcase_add_test(tests, test_equal_runs_have_no_deviation);
	tcase_add_test(tests, test_prints_deviation);
	tcase_add_test(tests, test_same_deviation_as_perf);
	tcase_add_test(tests, test_runs_of_all_cpus);
	tcase_add_test(tests, test_status_of_last_run);
	tcase_add_test(tests, test_command_that_cannot_run);
	tcase_add_test(tests, test_signal_ends_all_runs);
	tcase_add_test(tests, test_signal_ends_first_run);
	tcase_add_test(tests, test_end_of_task_ends_all_runs);
	tcase_add_test(tests, test_mistakes_name_reason);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stat_repeat_suite };

	return harness__main(argc, argv, suites, 1);
}
