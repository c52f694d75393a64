// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pid_namespace.c: events have the names of their tasks if /proc has other pids. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/machine/tracing.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

#define INSIDE(...)                                                                                \
	ARGV("unshare", "--pid", "--mount-proc", "--fork", recorded_run__peat(), __VA_ARGS__)

/* A shell with this name opens a file. */
#define OPEN_AS(name) "sh -c 'printf " name " > /proc/self/comm; : < own_file'"

/* The command of peat: a task inside opens a file; ends when the test opens the FIFO. */
#define COMMAND "-a", "--", "sh", "-c", OPEN_AS("inside") "; cat go > /dev/null"

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

START_TEST(test_names_of_namespace)
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
START_TEST(test_kinds_have_ids_of_namespace)
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

/* Records by this command, and replays `path`. */
static void check_recorded(const char *const *argv, const char *ready, const char *path)
{
	struct json_lines events;
	struct command peat;
	char *output;
	long pid;

	command__start(&peat, ALL_CAPS, argv);
	command__expect(peat.err, ready);
	pid = open_outside();
	recorded_run__finish(&peat, 0);
	command__free(&peat);
	output = recorded_run__replay(path);
	events = json_lines__split(output);
	check_names(&events, pid);
	json_lines__free(&events);
	free(output);
}

START_TEST(test_recorded_names)
{
	check_recorded(INSIDE("record", "-v", "-o", "file", "open", COMMAND), "attached", "file");
}
END_TEST

START_TEST(test_dumped_names)
{
	check_recorded(INSIDE("record", "-v", "--flight", "1M", "-o", "file", "open", COMMAND),
		       "keeping the last", "file.1");
}
END_TEST

/* ---- a reader without names ------------------------------------------------------------------ */

#define CALLS 100

static struct peat_session *start_flood(const char *pid)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct peat_reader_opts reader_opts = { .sz = sizeof(reader_opts), .latency_ms = 200 };
	const struct object_file *flood = object__twin(&flood_object);
	struct peat_session *session = peat_session__new(&opts);
	char number[16];

	snprintf(number, sizeof(number), "%d", SYS_getpgid);
	if (peat_session__add(session, flood->name, flood->bytes, *flood->count) ||
	    peat_session__set_variable(session, "flood_pid", pid) ||
	    peat_session__set_variable(session, "flood_syscall", number) ||
	    peat_session__start(session, &reader_opts))
		return NULL;
	return session;
}

/* All events are the object's; one or more are those of this process's parent. */
static bool reads_events(struct peat_session *session, uint32_t pid)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	const struct peat_event *event;
	unsigned own = 0;

	while (peat_reader__next(peat_session__reader(session), &event) > 0) {
		if (event->kind == PEAT_EVENT_DATA && !event->schema)
			return false;
		own += event->kind == PEAT_EVENT_DATA && event->pid == pid;
	}
	peat_reader__stats(peat_session__reader(session), &stats);
	return own && !stats.corrupt;
}

/* The child of another pid namespace: 0 if it reads the events of the calls between the bytes. */
static int read_inside(int fd, pid_t parent)
{
	struct peat_session *session;
	char pid[16], byte = 0;

	snprintf(pid, sizeof(pid), "%d", parent);
	session = start_flood(pid);
	if (!session || write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1)
		return 1;
	peat_session__stop(session);
	return reads_events(session, (uint32_t)parent) ? 0 : 2;
}

START_TEST(test_without_names)
{
	pid_t parent = getpid(), child;
	int ends[2];
	char byte;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	child = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(read_inside(ends[1], parent));
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
	ck_assert_int_eq(write(ends[0], &byte, 1), 1);
	ck_assert_int_eq(process__wait(child), 0);
	close(ends[0]);
}
END_TEST

/* Inside, whether a process exists outside cannot be seen. */
START_TEST(test_process_of_another_namespace)
{
	char *output = stock_perf__shell(
		"unshare --pid --mount-proc --fork $PEAT trace -d 10ms -p 1 open 2>&1 && "
		"unshare --pid --mount-proc --fork $PEAT trace -d 10ms -p 4194300 open 2>&1 && "
		"$PEAT trace -d 10ms -p $$ open 2>&1");

	ck_assert_uint_eq(recorded_run__count(output, "ids of the initial pid namespace"), 2);
	free(output);
}
END_TEST

static Suite *pid_namespace_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("pid_namespace", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_names_of_namespace);
	tcase_add_test(tests, test_names_of_other_tasks);
	tcase_add_test(tests, test_kinds_have_ids_of_namespace);
	tcase_add_test(tests, test_recorded_names);
	tcase_add_test(tests, test_dumped_names);
	tcase_add_test(tests, test_without_names);
	tcase_add_test(tests, test_process_of_another_namespace);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { pid_namespace_suite };

	return harness__main(argc, argv, suites, 1);
}
