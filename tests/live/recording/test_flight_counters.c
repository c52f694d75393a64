// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flight_counters.c: peat record --flight --on EVENT>N: counts of perf events that dump. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/flight_run.h"
#include "support/recording/recorded_run.h"

static struct command peat;

/* No program on the machine calls it as often as these tests do. */
#define CALLS "syscalls:sys_enter_getpgid"

#define FLIGHT(...)                                                                                \
	RECORD("--flight", "256K", "-o", "f", "exec", "--dump-interval", "0", __VA_ARGS__)

/* Several readings of the counts pass without a dump. */
static void expect_no_dump(const char *name)
{
	usleep(400 * 1000);
	ck_assert(!flight_run__exists(name));
}

/* ---- a process that calls -------------------------------------------------------------------- */

/* It makes as many calls as the byte that it reads, in `processes` children of its own. */
struct caller {
	pid_t pid;
	int fd;
	unsigned processes;
	char id[16];
};

static void call(unsigned char calls)
{
	while (calls--)
		syscall(SYS_getpgid, 0);
}

static void call_in_children(unsigned processes, unsigned char calls)
{
	for (unsigned i = 0; i < processes; i++) {
		pid_t child = fork();

		if (!child) {
			call(calls);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void serve(int fd, unsigned processes)
{
	unsigned char calls;

	while (read(fd, &calls, 1) == 1) {
		if (processes)
			call_in_children(processes, calls);
		else
			call(calls);
	}
	_exit(0);
}

static struct caller start_caller(unsigned processes)
{
	struct caller caller = { .processes = processes };
	int fds[2];

	ck_assert(!pipe(fds));
	caller.pid = fork();
	ck_assert_int_ge(caller.pid, 0);
	if (!caller.pid) {
		close(fds[1]);
		serve(fds[0], processes);
	}
	close(fds[0]);
	caller.fd = fds[1];
	snprintf(caller.id, sizeof(caller.id), "%d", (int)caller.pid);
	return caller;
}

static void let_call(const struct caller *caller, unsigned char calls)
{
	ck_assert_int_eq(write(caller->fd, &calls, 1), 1);
}

static void end_caller(const struct caller *caller)
{
	close(caller->fd);
	ck_assert_int_eq(waitpid(caller->pid, NULL, 0), caller->pid);
}

static void end(const struct caller *caller)
{
	recorded_run__stop(&peat, 0);
	end_caller(caller);
	command__free(&peat);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* More than N, and after a dump again from 0.  Calls of other processes do not count. */
START_TEST(test_count_of_a_process)
{
	struct caller caller = start_caller(0);

	flight_run__start(&peat, FLIGHT("--on", CALLS ">100", "-p", caller.id));
	call(200);
	let_call(&caller, 100);
	expect_no_dump("f.1");
	let_call(&caller, 1);
	flight_run__expect_dump(&peat, "f.1");
	let_call(&caller, 100);
	expect_no_dump("f.2");
	let_call(&caller, 1);
	flight_run__expect_dump(&peat, "f.2");
	recorded_run__stop(&peat, 0);
	ck_assert(!flight_run__exists("f.3"));
	end_caller(&caller);
	command__free(&peat);
}
END_TEST

/* No child counts enough to overflow: the sum of all does. */
START_TEST(test_children_together)
{
	struct caller caller = start_caller(20);

	flight_run__start(&peat, FLIGHT("--on", CALLS " > 119", "-p", caller.id));
	let_call(&caller, 5);
	expect_no_dump("f.1");
	let_call(&caller, 1);
	flight_run__expect_dump(&peat, "f.1");
	end(&caller);
}
END_TEST

START_TEST(test_thread_on_cpu)
{
	struct caller caller;

	process__pin_to(0);
	caller = start_caller(0);
	flight_run__start(&peat, FLIGHT("--on", CALLS ">100", "-t", caller.id, "-C", "0"));
	call(200);
	expect_no_dump("f.1");
	let_call(&caller, 101);
	flight_run__expect_dump(&peat, "f.1");
	end(&caller);
}
END_TEST

START_TEST(test_all_tasks)
{
	struct caller caller = start_caller(20);

	flight_run__start(&peat, FLIGHT("--on", CALLS ">4000"));
	let_call(&caller, 100);
	expect_no_dump("f.1");
	let_call(&caller, 250);
	flight_run__expect_dump(&peat, "f.1");
	end(&caller);
}
END_TEST

/* The reads of the programs of a command, which go on after the dump. */
START_TEST(test_count_of_a_command)
{
	command__start(&peat, ALL_CAPS,
		       FLIGHT("--on", "syscalls:sys_enter_read>3000", "--", "sh", "-c",
			      "dd if=/dev/zero of=/dev/null bs=1 count=4000; exec sleep 1000"));
	flight_run__expect_dump(&peat, "f.1");
	expect_no_dump("f.2");
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}
END_TEST

/* A dump that another trigger makes begins the count again. */
START_TEST(test_other_dump)
{
	struct caller caller = start_caller(0);

	flight_run__start(&peat, FLIGHT("--on", CALLS ">100", "-p", caller.id));
	let_call(&caller, 100);
	expect_no_dump("f.1");
	kill(peat.pid, SIGUSR2);
	flight_run__expect_dump(&peat, "f.1");
	let_call(&caller, 100);
	expect_no_dump("f.2");
	let_call(&caller, 1);
	flight_run__expect_dump(&peat, "f.2");
	end(&caller);
}
END_TEST

/* --where selects the recorded events: a count has no fields. */
START_TEST(test_where_is_of_the_events)
{
	struct caller caller = start_caller(20);
	char *text;

	flight_run__start(&peat, RECORD("--flight", "256K", "-o", "f", "exit", "--on",
					CALLS ">1000", "--where", "code == 93"));
	process__run("/bin/sh", ARGV("sh", "-c", "exit 94"));
	process__run("/bin/sh", ARGV("sh", "-c", "exit 93"));
	let_call(&caller, 100);
	flight_run__expect_dump(&peat, "f.1");
	recorded_run__stop(&peat, 0);
	text = recorded_run__replay("f.1");
	recorded_run__check_has(text, "\"code\":93");
	ck_assert_ptr_null(strstr(text, "\"code\":94"));
	free(text);
	end_caller(&caller);
	command__free(&peat);
}
END_TEST

START_TEST(test_triggers_within_the_interval)
{
	struct caller caller = start_caller(0);

	flight_run__start(&peat, RECORD("--flight", "256K", "-o", "f", "exec", "--on", CALLS ">9",
					"-p", caller.id));
	let_call(&caller, 10);
	flight_run__expect_dump(&peat, "f.1");
	for (int i = 0; i < 4; i++) { /* 60 calls, 6 times more than 9 */
		let_call(&caller, 15);
		expect_no_dump("f.2");
	}
	recorded_run__stop(&peat, 0);
	recorded_run__check_has(peat.err_text, "6 more triggers made no dump");
	end_caller(&caller);
	command__free(&peat);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void expect_refused(const char *const *argv, int status, const char *message)
{
	struct command refused;

	command__run(&refused, ALL_CAPS, argv);
	ck_assert_msg(refused.status == status, "%d: %s", refused.status, refused.err_text);
	ck_assert_msg(strstr(refused.err_text, message), "%s", refused.err_text);
	ck_assert(!flight_run__exists("f.1"));
	command__free(&refused);
}

#define WRONG_USAGE 64

START_TEST(test_refused_options)
{
	static const char *const wrong[] = { "page-faults>", "page-faults>x",
					     ">5",	     "page-faults>-1",
					     " >5",	     "page-faults>9223372036854775807" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		expect_refused(FLIGHT("--on", wrong[i]), WRONG_USAGE, "expected EVENT>N");
	expect_refused(FLIGHT("--on", "nonsense>5"), 1, "no event nonsense");
	expect_refused(FLIGHT("--on", "cpu-clock/freq=99/>5"), 1, "freq=");
	expect_refused(FLIGHT("--on", "exit", "--on", "page-faults>5"), WRONG_USAGE, "only one");
	expect_refused(FLIGHT("--on", "page-faults>5", "-u", "root"), WRONG_USAGE, "-u");
	expect_refused(FLIGHT("--on", "page-faults>5", "--comm", "x"), WRONG_USAGE, "--comm");
	expect_refused(FLIGHT("--on", "page-faults>5", "--cgroup", "/", "-p", "1"), WRONG_USAGE,
		       "together");
	expect_refused(RECORD("exec", "--on", "page-faults>5"), WRONG_USAGE, "--flight");
}
END_TEST

static Suite *flight_counters_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flight_counters", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_count_of_a_process);
	tcase_add_test(tests, test_children_together);
	tcase_add_test(tests, test_thread_on_cpu);
	tcase_add_test(tests, test_all_tasks);
	tcase_add_test(tests, test_count_of_a_command);
	tcase_add_test(tests, test_other_dump);
	tcase_add_test(tests, test_where_is_of_the_events);
	tcase_add_test(tests, test_triggers_within_the_interval);
	tcase_add_test(tests, test_refused_options);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flight_counters_suite };

	return harness__main(argc, argv, suites, 1);
}
