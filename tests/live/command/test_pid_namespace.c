// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pid_namespace.c: events have the names of their tasks if /proc has other pids. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/machine/harness.h"
#include "support/machine/tracing.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define INSIDE(...)                                                                                \
	ARGV("unshare", "--pid", "--mount-proc", "--fork", recorded_run__peat(), __VA_ARGS__)

/* A shell with this name opens a file. */
#define OPEN_AS(name) "sh -c 'printf " name " > /proc/self/comm; : < own_file'"

/* The command of peat: a task inside opens a file; ends when the test opens the FIFO. */
#define COMMAND "--", "sh", "-c", OPEN_AS("inside") "; cat go > /dev/null"

static void setup(void)
{
	recorded_run__setup();
	free(stock_perf__shell("echo > own_file; mkfifo go"));
}

/* The first line is the pid of the task outside. */
static long open_outside(void)
{
	char *output = stock_perf__shell(OPEN_AS("outside") " & echo $!; wait; echo > go");
	long pid = strtol(output, NULL, 10);

	free(output);
	return pid;
}

/* A task of both namespaces has opened the file, once. */
static void check_names(const struct json_lines *events, long outside_pid)
{
	unsigned inside = 0, outside = 0;

	for (size_t i = 0; i < events->count; i++) {
		const char *event = events->lines[i], *path = json_lines__text(event, "path");
		const char *comm;

		if (!path || strcmp(path, "own_file"))
			continue;
		comm = json_lines__text(event, "comm");
		ck_assert_msg(comm && (!strcmp(comm, "inside") || !strcmp(comm, "outside")),
			      "the wrong name: %s", event);
		inside += !strcmp(comm, "inside");
		if (!strcmp(comm, "outside")) {
			outside++;
			ck_assert_int_eq(json_lines__number(event, "pid"), outside_pid);
		}
	}
	ck_assert_uint_eq(inside, 1);
	ck_assert_uint_eq(outside, 1);
}

static void check_trace(const char *const *argv)
{
	struct tracing tracing;
	long pid;

	tracing__start(&tracing, argv);
	pid = open_outside();
	tracing__finish(&tracing);
	check_names(&tracing.events, pid);
	tracing__free(&tracing);
}

START_TEST(test_names)
{
	check_trace(INSIDE("trace", "-v", "-j", "open", COMMAND));
	check_trace(INSIDE("trace", "-v", "-j", "--ordered", "open", COMMAND));
	check_trace(INSIDE("trace", "-v", "-j", "--latency", "0", "open", COMMAND));
	check_trace(INSIDE("trace", "-v", "-j", "open", "--where",
			   "path == \"own_file\" && pid > 0 && tid > 0 && comm ~ \"*side\"",
			   COMMAND));
	check_trace(INSIDE("trace", "-v", "-j", "open", "@task", COMMAND));
}
END_TEST

/* The event is that of the task that begins to run. */
START_TEST(test_names_of_other_tasks)
{
	struct tracing tracing;

	tracing__start(&tracing, INSIDE("trace", "-v", "-j", "sched,min=0", "--where",
					"comm == sleeper", COMMAND));
	free(stock_perf__shell("sh -c 'printf sleeper > /proc/self/comm; sleep 0.1; :'; "
			       "echo > go"));
	tracing__finish(&tracing);
	ck_assert_uint_gt(tracing.events.count, 0);
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_text(tracing.events.lines[i], "comm", "sleeper");
	tracing__free(&tracing);
}
END_TEST

/* The kernel's own records have the ids of the namespace, and 0 for tasks outside. */
START_TEST(test_kinds)
{
	struct tracing tracing;
	unsigned outside = 0, inside = 0;

	tracing__start(&tracing, INSIDE("trace", "-v", "-j", "@comm", COMMAND));
	open_outside();
	tracing__finish(&tracing);
	for (size_t i = 0; i < tracing.events.count; i++) {
		const char *event = tracing.events.lines[i];

		if (json_lines__is(event, "tid", "0")) {
			outside++;
			expect_member(event, "comm", "null");
		} else if (!strcmp(json_lines__text(event, "name"), "inside")) {
			inside++;
			expect_text(event, "comm", "inside");
		}
	}
	ck_assert_uint_gt(outside, 0);
	ck_assert_uint_eq(inside, 1);
	tracing__free(&tracing);
}
END_TEST

static void check_recording(const char *path, long pid)
{
	char *output = recorded_run__replay(path);
	struct json_lines events = json_lines__split(output);

	check_names(&events, pid);
	json_lines__free(&events);
	free(output);
}

START_TEST(test_recorded_names)
{
	struct command peat;
	long pid;

	command__start(&peat, ALL_CAPS, INSIDE("record", "-v", "-o", "file", "open", COMMAND));
	command__expect(peat.err, "attached");
	pid = open_outside();
	recorded_run__finish(&peat, 0);
	command__free(&peat);
	check_recording("file", pid);
}
END_TEST

START_TEST(test_dumped_names)
{
	struct command peat;
	long pid;

	command__start(&peat, ALL_CAPS,
		       INSIDE("record", "-v", "--flight", "1M", "-o", "file", "open", COMMAND));
	command__expect(peat.err, "keeping the last");
	pid = open_outside();
	recorded_run__finish(&peat, 0);
	command__free(&peat);
	check_recording("file.1", pid);
}
END_TEST

START_TEST(test_process_of_another_namespace)
{
	char *output = stock_perf__shell("unshare --pid --mount-proc --fork $PEAT trace -d 10ms "
					 "-p 1 open 2>&1 && $PEAT trace -d 10ms -p 1 open 2>&1");

	ck_assert_uint_eq(recorded_run__count(output, "ids of the initial pid namespace"), 1);
	free(output);
}
END_TEST

static Suite *pid_namespace_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("pid_namespace", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_names);
	tcase_add_test(tests, test_names_of_other_tasks);
	tcase_add_test(tests, test_kinds);
	tcase_add_test(tests, test_recorded_names);
	tcase_add_test(tests, test_dumped_names);
	tcase_add_test(tests, test_process_of_another_namespace);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { pid_namespace_suite };

	return harness__main(argc, argv, suites, 1);
}
