// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat_places.c: peat stat by core, by socket and by thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"

#define PEAT command__peat()

/* Nothing else reads this many bytes at a time. */
#define READS	 "syscalls:sys_enter_read/count==12345/"
#define SH_DD(n) "dd if=/dev/zero of=/dev/null bs=12345 count=" #n " 2> /dev/null"
#define ON(cpu)	 "taskset -c " #cpu " "

static struct command peat;

static void expect_in(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in %s", part, text);
}

static void run(const char *const *argv, int status)
{
	command__free(&peat);
	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status, "status %d: %s%s", peat.status, peat.out_text,
		      peat.err_text);
}

static const char *path_of(unsigned index, const char *member)
{
	static char path[64];

	snprintf(path, sizeof(path), "events[%u].%s", index, member);
	return path;
}

static bool has_event(unsigned index)
{
	return json_event__has(peat.out_text, path_of(index, "event"));
}

static unsigned long long number(unsigned index, const char *member)
{
	return json_event__number(peat.out_text, path_of(index, member));
}

/* Rows that counted nothing have null. */
static unsigned long long count_of(unsigned index)
{
	return json_lines__is(peat.out_text, path_of(index, "count"), "null")
		       ? 0
		       : number(index, "count");
}

static unsigned long long sum(const char *member)
{
	unsigned long long total = 0;

	for (unsigned i = 0; has_event(i); i++)
		total += strcmp(member, "count") ? number(i, member) : count_of(i);
	return total;
}

static unsigned online_cpus(void)
{
	return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- cores and sockets ----------------------------------------------------------------------- */

#define COUNT_READS(by)                                                                            \
	ARGV(PEAT, "stat", "-a", by, "-j", "-e", READS, "--", "sh", "-c",                          \
	     SH_DD(300) "; " SH_DD(200))

START_TEST(test_sums_equal_the_total)
{
	static const char *const by[] = { "-A", "--per-core", "--per-socket" };

	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++) {
		run(COUNT_READS(by[i]), 0);
		ck_assert_uint_eq(sum("count"), 500);
		if (i)
			ck_assert_uint_eq(sum("cpus"), online_cpus());
	}
}
END_TEST

/* Places of the CPUs 0 and 1.  All others are in socket 9, whose rows are the last. */
static bool set_topology(int core, int socket)
{
	unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF);

	for (unsigned cpu = 2; cpu < cpus; cpu++)
		mounts__set_topology(cpu, 0, 9);
	return mounts__set_topology(0, 0, 0) && mounts__set_topology(1, core, socket);
}

#define SET_TOPOLOGY(core, socket)                                                                 \
	do {                                                                                       \
		if (!set_topology(core, socket))                                                   \
			skip("this test needs the CPUs 0 and 1, and their topology");              \
	} while (0)

#define COUNT_ON_TWO_CPUS(...)                                                                     \
	run(ARGV(PEAT, "stat", "-a", "-e", READS, __VA_ARGS__, "--", "sh", "-c",                   \
		 ON(0) SH_DD(300) "; " ON(1) SH_DD(200)),                                          \
	    0)

START_TEST(test_core_of_two_cpus)
{
	need_program("taskset");
	SET_TOPOLOGY(0, 0);
	COUNT_ON_TWO_CPUS("--per-core", "-x,");
	ck_assert_msg(!strncmp(peat.out_text, "S0-D0-C0,2,500,,", 16), "%s", peat.out_text);
}
END_TEST

START_TEST(test_two_cores_of_a_socket)
{
	need_program("taskset");
	SET_TOPOLOGY(7, 0);
	COUNT_ON_TWO_CPUS("--per-core", "-j");
	json_event__check(peat.out_text, "events[0].core", 0);
	json_event__check(peat.out_text, "events[0].count", 300);
	json_event__check(peat.out_text, "events[0].cpus", 1);
	json_event__check(peat.out_text, "events[1].core", 7);
	json_event__check(peat.out_text, "events[1].count", 200);
	COUNT_ON_TWO_CPUS("--per-socket", "-j");
	json_event__check(peat.out_text, "events[0].socket", 0);
	json_event__check(peat.out_text, "events[0].count", 500);
	json_event__check(peat.out_text, "events[0].cpus", 2);
	ck_assert_uint_eq(sum("count"), 500);
}
END_TEST

/* Both have a core 0. */
START_TEST(test_two_sockets)
{
	need_program("taskset");
	SET_TOPOLOGY(0, 1);
	COUNT_ON_TWO_CPUS("--per-core", "-x,");
	expect_in(peat.out_text, "S0-D0-C0,1,300,,");
	expect_in(peat.out_text, "\nS1-D0-C0,1,200,,");
	COUNT_ON_TWO_CPUS("--per-socket", "-x,");
	expect_in(peat.out_text, "S0,1,300,,");
	expect_in(peat.out_text, "\nS1,1,200,,");
}
END_TEST

START_TEST(test_cores_of_intervals)
{
	struct json_lines lines;
	unsigned long long total = 0;

	run(ARGV(PEAT, "stat", "-a", "--per-core", "-I", "20", "-j", "-e", READS, "--", "sh", "-c",
		 SH_DD(300) "; sleep 0.1; " SH_DD(200)),
	    0);
	lines = json_lines__split(peat.out_text);
	ck_assert_uint_ge(lines.count, 2);
	for (size_t i = 0; i < lines.count; i++)
		for (unsigned k = 0; json_event__has(lines.lines[i], path_of(k, "event")); k++)
			total += json_event__number(lines.lines[i], path_of(k, "count"));
	ck_assert_uint_eq(total, 500);
	json_lines__free(&lines);
}
END_TEST

/* COMMAND is not run. */
START_TEST(test_unknown_topology)
{
	if (!mounts__set_topology(0, -1, -1))
		skip("CPU 0 has no topology");
	run(ARGV(PEAT, "stat", "-a", "--per-core", "-e", "task-clock", "--", "echo", "hello"), 1);
	expect_in(peat.err_text, "--per-core is not possible");
	expect_in(peat.err_text, "/sys/devices/system/cpu/cpu0/topology/physical_package_id: No "
				 "such file or directory: use -A");
	ck_assert_str_eq(peat.out_text, "");
	run(ARGV(PEAT, "stat", "-a", "-A", "-e", "task-clock", "--", "true"), 0);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------- */

#define CALLS "syscalls:sys_enter_getpgid"

struct process {
	int ready[2], begin[2];
	pthread_barrier_t named;
};

static void *wait_idle(void *arg)
{
	struct process *process = arg;

	prctl(PR_SET_NAME, "idler");
	pthread_barrier_wait(&process->named);
	pause();
	return NULL;
}

/* Calls when it is told to, and ends the process. */
static void *call_in_thread(void *arg)
{
	struct process *process = arg;
	char byte;

	prctl(PR_SET_NAME, "caller");
	pthread_barrier_wait(&process->named);
	if (read(process->begin[0], &byte, 1) == 1)
		for (int i = 0; i < 300; i++)
			syscall(SYS_getpgid, 0);
	_exit(0);
}

static int run_threads(void *arg)
{
	struct process *process = arg;
	pthread_t threads[3];

	prctl(PR_SET_NAME, "leader");
	pthread_barrier_init(&process->named, NULL, 4);
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, i ? wait_idle : call_in_thread, process))
			return 1;
	pthread_barrier_wait(&process->named);
	if (write(process->ready[1], "r", 1) != 1)
		return 1;
	return pause();
}

/* Counts until the process has ended; COMMAND lets it begin, when counting has begun. */
static void count_threads(const char *format, const char *event, const char *by)
{
	struct process process;
	char pid_text[16], begin[64], byte;
	pid_t pid;

	ck_assert_int_eq(pipe(process.ready), 0);
	ck_assert_int_eq(pipe(process.begin), 0);
	pid = process__start(run_threads, &process);
	ck_assert_int_eq(read(process.ready[0], &byte, 1), 1);
	snprintf(pid_text, sizeof(pid_text), "%d", (int)pid);
	snprintf(begin, sizeof(begin), "echo > /proc/%d/fd/%d; exec sleep 60", (int)getpid(),
		 process.begin[1]);
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "stat", format, "-e", event, "-p", pid_text, by, "--", "sh", "-c",
			  begin));
	process__wait(pid);
	for (int i = 0; i < 2; i++) {
		close(process.ready[i]);
		close(process.begin[i]);
	}
	ck_assert_msg(!peat.status, "%s%s", peat.out_text, peat.err_text);
}

START_TEST(test_threads_are_counted_apart)
{
	static const char *const names[] = { "caller", "leader", "idler", "idler" };
	unsigned found[3] = { 0 };

	count_threads("-j", CALLS, "--per-thread");
	for (unsigned i = 0; i < 4; i++) {
		const char *comm = json_event__text(peat.out_text, path_of(i, "comm"));

		for (unsigned k = 0; k < 3; k++)
			found[k] += !strcmp(comm, names[k]);
		ck_assert_uint_eq(count_of(i), i ? 0 : 300);
		ck_assert_uint_gt(number(i, "tid"), 0);
	}
	ck_assert(!has_event(4));
	ck_assert_str_eq(json_event__text(peat.out_text, "events[0].comm"), "caller");
	ck_assert_uint_eq(found[0], 1);
	ck_assert_uint_eq(found[1], 1);
	ck_assert_uint_eq(found[2], 2);
	count_threads("-j", CALLS, "--no-inherit");
	ck_assert_uint_eq(count_of(0), 300);
	ck_assert(!has_event(1));
}
END_TEST

/* The thread with the most counts is the first of its event. */
START_TEST(test_threads_as_fields)
{
	const char *second;

	count_threads("-x,", CALLS ",page-faults", "--per-thread");
	ck_assert_msg(!strncmp(peat.out_text, "caller-", 7), "%s", peat.out_text);
	expect_in(peat.out_text, ",300,," CALLS ",");
	expect_in(peat.out_text, "\nleader-");
	second = strstr(peat.out_text, ",page-faults,");
	ck_assert_ptr_nonnull(second);
	ck_assert_ptr_null(strstr(second, CALLS));
}
END_TEST

START_TEST(test_one_thread)
{
	char tid_text[16];

	snprintf(tid_text, sizeof(tid_text), "%d", (int)getpid());
	prctl(PR_SET_NAME, "tester");
	run(ARGV(PEAT, "stat", "--per-thread", "-t", tid_text, "-e", "task-clock", "-x,", "-d",
		 "10ms"),
	    0);
	ck_assert_msg(!strncmp(peat.out_text, "tester-", 7) &&
			      !strncmp(peat.out_text + 7, tid_text, strlen(tid_text)),
		      "%s", peat.out_text);
}
END_TEST

/* ---- mistakes -------------------------------------------------------------------------------- */

START_TEST(test_mistakes_name_reason)
{
	static const struct {
		const char *options[4], *message;
	} mistakes[] = {
		{ { "--per-core" }, "--per-core needs CPUs to count" },
		{ { "--per-socket", "-p", "1" }, "--per-socket needs CPUs to count" },
		{ { "--per-thread" }, "--per-thread needs threads that exist" },
		{ { "--per-thread", "-a" }, "use it with -p or -t" },
		{ { "-a", "-A", "--per-core" }, "-A and --per-core exclude each other" },
		{ { "-a", "--per-socket", "--per-core" }, "--per-socket and --per-core exclude" },
	};

	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		const char *argv[12] = { PEAT, "stat" };
		size_t count = 2;

		for (size_t k = 0; mistakes[i].options[k]; k++)
			argv[count++] = mistakes[i].options[k];
		argv[count++] = "--";
		argv[count] = "true";
		run(argv, 64);
		expect_in(peat.err_text, mistakes[i].message);
	}
}
END_TEST

static void teardown(void)
{
	command__free(&peat);
	peat = (struct command){ 0 };
}

static Suite *stat_places_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stat_places", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_sums_equal_the_total);
	tcase_add_test(tests, test_core_of_two_cpus);
	tcase_add_test(tests, test_two_cores_of_a_socket);
	tcase_add_test(tests, test_two_sockets);
	tcase_add_test(tests, test_cores_of_intervals);
	tcase_add_test(tests, test_unknown_topology);
	tcase_add_test(tests, test_threads_are_counted_apart);
	tcase_add_test(tests, test_threads_as_fields);
	tcase_add_test(tests, test_one_thread);
	tcase_add_test(tests, test_mistakes_name_reason);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stat_places_suite };

	return harness__main(argc, argv, suites, 1);
}
