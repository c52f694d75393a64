// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat.c: peat stat, run as a user runs it, and beside perf stat. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"

#define PEAT command__peat()

/* dd reads each byte by a system call. */
#define READS	 "syscalls:sys_enter_read"
#define DD(n)	 "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=" #n
#define SH_DD(n) "dd if=/dev/zero of=/dev/null bs=1 count=" #n

static struct command peat;

static void run(const char *const *argv)
{
	command__run(&peat, ALL_CAPS, argv);
}

static void expect_status(int status)
{
	ck_assert_msg(peat.status == status, "status %d: %s%s", peat.status, peat.out_text,
		      peat.err_text);
}

static void expect_in(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in %s", part, text);
}

static void teardown(void)
{
	command__free(&peat);
	peat = (struct command){ 0 };
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *path_of(unsigned index, const char *member)
{
	static char path[64];

	snprintf(path, sizeof(path), "events[%u].%s", index, member);
	return path;
}

/* The number of the first event of this name, and CPU unless that is -1. */
static unsigned find(const char *document, const char *event, int cpu)
{
	unsigned i = 0;

	for (; json_event__has(document, path_of(i, "event")); i++)
		if (!strcmp(json_event__text(document, path_of(i, "event")), event) &&
		    (cpu < 0 || json_lines__number(document, path_of(i, "cpu")) == cpu))
			return i;
	ck_abort_msg("no %s in %s", event, document);
	return i;
}

static unsigned long long count_of(const char *document, const char *event)
{
	return json_event__number(document, path_of(find(document, event, -1), "count"));
}

/* The JSON document that peat printed to stdout. */
static const char *document(void)
{
	size_t at;
	const char *error = json_lines__check(peat.out_text, strlen(peat.out_text), &at);

	ck_assert_msg(!error, "%s at %zu in %s", error, at, peat.out_text);
	ck_assert_str_eq(json_event__text(peat.out_text, "type"), "stat");
	return peat.out_text;
}

/* ---- beside perf ----------------------------------------------------------------------------- */

/* The value that perf stat -x, printed for an event. */
static double perf_value(const char *output, const char *event)
{
	const char *at = strstr(output, event), *line = at;

	ck_assert_msg(at, "no %s in %s", event, output);
	while (line > output && line[-1] != '\n')
		line--;
	return strtod(line, NULL);
}

#define COMPARED READS ",page-faults,task-clock,context-switches"

/* The smallest of several runs is the one that the rest of the machine disturbed least. */
static void keep_smallest(double *smallest, double value)
{
	*smallest = value < *smallest ? value : *smallest;
}

START_TEST(test_same_counts_as_perf)
{
	double their_ms = 1e9, our_ms = 1e9, their_faults = 1e9, our_faults = 1e9;

	need_perf();
	mounts__need_tracefs();
	for (int i = 0; i < 3; i++) {
		char *theirs = stock_perf__shell("perf stat -x, -e " COMPARED
						 " -- " SH_DD(20000) " 2>&1 >/dev/null");

		run(ARGV(PEAT, "stat", "-x,", "-e", COMPARED, "--", DD(20000)));
		expect_status(0);
		ck_assert_double_eq(perf_value(peat.out_text, READS), perf_value(theirs, READS));
		keep_smallest(&their_ms, perf_value(theirs, "task-clock"));
		keep_smallest(&our_ms, perf_value(peat.out_text, "task-clock"));
		keep_smallest(&their_faults, perf_value(theirs, "page-faults"));
		keep_smallest(&our_faults, perf_value(peat.out_text, "page-faults"));
		free(theirs);
		teardown();
	}
	/* Pages depend on where programs lie in memory; times on the rest of the machine. */
	ck_assert_msg(our_faults < their_faults * 1.1 + 5 && their_faults < our_faults * 1.1 + 5,
		      "%.0f page faults, perf %.0f", our_faults, their_faults);
	ck_assert_msg(our_ms < their_ms * 2 && their_ms < our_ms * 2,
		      "task-clock %.2f ms, perf %.2f ms", our_ms, their_ms);
}
END_TEST

/* ---- a command ------------------------------------------------------------------------------- */

START_TEST(test_default_events)
{
	static const char *const counted[] = { "task-clock", "context-switches", "cpu-migrations",
					       "page-faults" };

	run(ARGV(PEAT, "stat", "-j", "--", "sh", "-c", SH_DD(1)));
	expect_status(0);
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++)
		ck_assert_str_eq(json_event__text(document(), path_of((unsigned)i, "event")),
				 counted[i]);
	ck_assert_uint_gt(count_of(document(), "task-clock"), 0);
	ck_assert_uint_gt(count_of(document(), "page-faults"), 0);
	find(document(), "cycles", -1);
	find(document(), "instructions", -1);
	find(document(), "branches", -1);
	find(document(), "branch-misses", -1);
	ck_assert(json_event__has(document(), "user_seconds"));
	ck_assert(json_event__has(document(), "sys_seconds"));
}
END_TEST

/* Standard output is the command's, and so is the exit status. */
START_TEST(test_prints_text_and_status)
{
	run(ARGV(PEAT, "stat", "-e", "page-faults,task-clock", "--", "sh", "-c",
		 "echo hello; exit 7"));
	expect_status(7);
	ck_assert_str_eq(peat.out_text, "hello\n");
	expect_in(peat.err_text, "Performance counter stats for 'sh -c echo hello; exit 7':");
	expect_in(peat.err_text, "CPUs utilized");
	expect_in(peat.err_text, "seconds time elapsed");
	expect_in(peat.err_text, "seconds user");
}
END_TEST

START_TEST(test_output_of_the_command_with_json)
{
	run(ARGV(PEAT, "stat", "-j", "-e", "page-faults", "--", "echo", "hello"));
	expect_status(0);
	ck_assert_uint_gt(count_of(document(), "page-faults"), 0);
	expect_in(peat.err_text, "hello\n");
}
END_TEST

START_TEST(test_children_are_counted)
{
	const char *script =
		SH_DD(300) "; " SH_DD(200) "; :"; /* sh may execute the last one itself */
	unsigned long long all;

	run(ARGV(PEAT, "stat", "-j", "-e", "{" READS "/count==1/,task-clock}", "--", "sh", "-c",
		 script));
	expect_status(0);
	all = json_event__number(document(), "events[0].count");
	ck_assert_uint_ge(all, 500);
	ck_assert_uint_lt(all, 600);
	teardown();
	run(ARGV(PEAT, "stat", "-j", "-e", READS "/count==1/", "--no-inherit", "--", "sh", "-c",
		 script));
	expect_status(0);
	ck_assert_uint_lt(json_event__number(document(), "events[0].count"), 100);
}
END_TEST

START_TEST(test_writes_file)
{
	char path[64], text[4096] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-stat-%d", (int)getpid());
	run(ARGV(PEAT, "stat", "-j", "-o", path, "-e", "page-faults", "--", "echo", "hello"));
	expect_status(0);
	ck_assert_str_eq(peat.out_text, "hello\n");
	teardown();
	run(ARGV(PEAT, "stat", "-o", path, "-e", "no_such", "--", "true")); /* keeps the file */
	expect_status(1);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	unlink(path);
	ck_assert_uint_gt(count_of(text, "page-faults"), 0);
	teardown();
	run(ARGV(PEAT, "stat", "-o", "/no/such/file", "--", "true"));
	expect_status(1);
	expect_in(peat.err_text, "cannot write to /no/such/file");
}
END_TEST

START_TEST(test_interrupt_prints_counts)
{
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "stat", "-e", "task-clock", "--", "sh", "-c",
			    "echo ready; exec sleep 60"));
	command__expect(peat.out, "ready");
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	expect_status(0);
	expect_in(peat.err_text, "task-clock");
}
END_TEST

/* The one character of state in /proc/PID/stat, behind "(comm) "; 0: no such process. */
static char state_of(pid_t pid)
{
	char path[32], line[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strrchr(line, ')') ? strrchr(line, ')')[2] : '\0';
}

static void expect_state(pid_t pid, char state)
{
	for (int i = 0; i < 5000 && state_of(pid) != state; i++)
		usleep(1000);
	ck_assert_int_eq(state_of(pid), state);
}

/* The status does not depend on how fast COMMAND ends by the signal that is passed on to it. */
START_TEST(test_interrupt_that_ends_the_command_first)
{
	char line[32];
	pid_t command;

	command__start(
		&peat, ALL_CAPS,
		ARGV(PEAT, "stat", "-e", "task-clock", "--", "sh", "-c", "echo $$; exec sleep 60"));
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), peat.out));
	command = (pid_t)strtol(line, NULL, 10);
	ck_assert_int_gt(command, 1);
	kill(peat.pid, SIGSTOP);
	expect_state(peat.pid, 'T');
	kill(command, SIGINT);
	expect_state(command, 'Z');
	kill(peat.pid, SIGINT);
	kill(peat.pid, SIGCONT);
	command__finish(&peat);
	expect_status(0);
	expect_in(peat.err_text, "task-clock");
}
END_TEST

START_TEST(test_command_that_cannot_run)
{
	run(ARGV(PEAT, "stat", "-e", "task-clock", "--", "/no/such/program"));
	expect_status(127);
	expect_in(peat.err_text, "cannot run /no/such/program");
	expect_in(peat.err_text, "<not counted>");
}
END_TEST

/* ---- other targets --------------------------------------------------------------------------- */

static int sleep_a_while(void *arg)
{
	(void)arg;
	usleep(300000);
	return 0;
}

/* Ends when the process does. */
START_TEST(test_counts_until_process_ends)
{
	char pid_text[16];
	pid_t pid = process__start(sleep_a_while, NULL);

	snprintf(pid_text, sizeof(pid_text), "%d", (int)pid);
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "stat", "-e", "task-clock,context-switches", "-p", pid_text));
	process__wait(pid);
	command__finish(&peat);
	expect_status(0);
	expect_in(peat.out_text, "Performance counter stats for process");
	teardown();
	run(ARGV(PEAT, "stat", "-e", "task-clock", "-p", pid_text));
	expect_status(1);
	expect_in(peat.err_text, "it does not exist, or it has ended");
}
END_TEST

START_TEST(test_counts_thread)
{
	char pid_text[16];
	pid_t pid = process__start(sleep_a_while, NULL);

	snprintf(pid_text, sizeof(pid_text), "%d", (int)pid);
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "stat", "-j", "-e", "task-clock", "-t", pid_text));
	process__wait(pid);
	command__finish(&peat);
	expect_status(0);
	document();
}
END_TEST

START_TEST(test_all_cpus)
{
	unsigned long long sum = 0, events = 0;

	run(ARGV(PEAT, "stat", "-a", "-A", "-j", "-e", "task-clock", "-d", "100ms"));
	expect_status(0);
	for (; json_event__has(document(), path_of((unsigned)events, "event")); events++) {
		ck_assert(json_event__has(document(), path_of((unsigned)events, "cpu")));
		sum += json_event__number(document(), path_of((unsigned)events, "count"));
	}
	ck_assert_uint_ge(events, 1);
	ck_assert_uint_gt(sum, 50000000);
	teardown();
	run(ARGV(PEAT, "stat", "-C", "0", "-A", "-e", "task-clock", "-d", "50ms"));
	expect_status(0);
	expect_in(peat.out_text, "\nCPU0 ");
	expect_in(peat.out_text, "stats for CPUs 0:");
}
END_TEST

START_TEST(test_prints_intervals)
{
	struct json_lines lines;

	run(ARGV(PEAT, "stat", "-a", "-i", "50ms", "-j", "-e", "task-clock,page-faults", "-d",
		 "300ms"));
	expect_status(0);
	lines = json_lines__split(peat.out_text);
	ck_assert_uint_ge(lines.count, 2);
	for (size_t i = 0; i < lines.count; i++) {
		ck_assert_str_eq(json_event__text(lines.lines[i], "type"), "stat");
		ck_assert_str_eq(json_event__text(lines.lines[i], "events[1].event"),
				 "page-faults");
	}
	json_lines__free(&lines);
	teardown();
	run(ARGV(PEAT, "stat", "-a", "-i", "50ms", "-e", "task-clock", "-d", "120ms"));
	expect_status(0);
	expect_in(peat.out_text, "#           time             counts unit events\n");
}
END_TEST

/* The sum of all intervals is exact. */
START_TEST(test_intervals_lose_nothing)
{
	struct json_lines lines;
	unsigned long long sum = 0;

	run(ARGV(PEAT, "stat", "-i", "5ms", "-j", "-e", READS "/count==1/", "--", DD(50000)));
	expect_status(0);
	lines = json_lines__split(peat.out_text);
	for (size_t i = 0; i < lines.count; i++)
		if (json_lines__kind(lines.lines[i], "events[0].count") == JSON_NUMBER)
			sum += json_event__number(lines.lines[i], "events[0].count");
	json_lines__free(&lines);
	ck_assert_uint_eq(sum, 50000);
}
END_TEST

START_TEST(test_counts_in_cgroup)
{
	char path[512], script[640];

	snprintf(path, sizeof(path), "%s/peat-stat-%d", mounts__perf_cgroup2(), (int)getppid());
	rmdir(path);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	snprintf(script, sizeof(script), "(echo 0 > %s/cgroup.procs; exec " SH_DD(70) ")", path);
	run(ARGV(PEAT, "stat", "-j", "--cgroup", path, "-e", READS "/count==1/", "--", "sh", "-c",
		 script));
	rmdir(path);
	expect_status(0);
	ck_assert_uint_eq(json_event__number(document(), "events[0].count"), 70);
}
END_TEST

/* ---- options of perf ------------------------------------------------------------------------- */

/* Checks that the names of events, the third fields of lines, are `wanted` and no others. */
static void check_names(const char *lines, const char *wanted)
{
	char names[1024] = "";
	size_t used = 0;

	for (const char *line = lines; line && *line; line = strchr(line, '\n')) {
		const char *field = strchr(line += *line == '\n', ',');

		field = field ? strchr(field + 1, ',') : NULL;
		if (field)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%.*s,",
						 (int)strcspn(field + 1, ","), field + 1);
		ck_assert_uint_lt(used, sizeof(names));
	}
	ck_assert_str_eq(names, wanted);
}

/* The names that perf stat -d, -dd and -ddd prints. */
#define LEVEL_1 "page-faults,L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses,"
#define LEVEL_2                                                                                    \
	LEVEL_1 "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"    \
		"iTLB-load-misses,"
#define LEVEL_3 LEVEL_2 "L1-dcache-prefetches,L1-dcache-prefetch-misses,"

START_TEST(test_detailed_events_are_those_of_perf)
{
	static const char *const levels[] = { "page-faults,", LEVEL_1, LEVEL_2, LEVEL_3, LEVEL_3 };

	if (!access("/sys/bus/event_source/devices/cpu_core", F_OK))
		skip("this machine has two kinds of cores, and an event for each");
	for (size_t level = 0; level < 5; level++) {
		const char *argv[12] = { PEAT, "stat", "-x,", "-e", "page-faults" };
		size_t count = 5;

		while (count < 5 + level)
			argv[count++] = "--detailed";
		argv[count++] = "--";
		argv[count] = "true";
		run(argv);
		expect_status(0);
		check_names(peat.out_text, levels[level]);
		teardown();
	}
}
END_TEST

START_TEST(test_detailed_events_beside_the_default)
{
	run(ARGV(PEAT, "stat", "-j", "--detailed", "--", "true"));
	expect_status(0);
	find(document(), "task-clock", -1);
	find(document(), "L1-dcache-loads", -1);
	find(document(), "LLC-load-misses", -1);
}
END_TEST

static size_t count_intervals(const char *option, const char *time)
{
	struct json_lines lines;
	size_t count;

	run(ARGV(PEAT, "stat", "-a", option, time, "-j", "-e", "task-clock", "-d", "175ms"));
	expect_status(0);
	lines = json_lines__split(peat.out_text);
	count = lines.count;
	json_lines__free(&lines);
	teardown();
	return count;
}

/* Milliseconds, unless the number has a unit. */
START_TEST(test_intervals_of_perf)
{
	ck_assert_uint_ge(count_intervals("-I", "50"), 2);
	ck_assert_uint_ge(count_intervals("--interval-print", "50ms"), 2);
	ck_assert_uint_eq(count_intervals("-I", "20s"), 1);
}
END_TEST

/* ---- mistakes -------------------------------------------------------------------------------- */

static void check(const char *const *argv, int status, const char *message)
{
	run(argv);
	expect_status(status);
	expect_in(peat.err_text, message);
	teardown();
}

START_TEST(test_mistakes_name_reason)
{
	check(ARGV(PEAT, "stat"), 64, "nothing to count");
	check(ARGV(PEAT, "stat", "--"), 64, "no command after --");
	check(ARGV(PEAT, "stat", "true"), 64, "peat stat -- COMMAND");
	check(ARGV(PEAT, "stat", "-a", "-p", "1"), 64, "exclude each other");
	check(ARGV(PEAT, "stat", "-A", "--", "true"), 64, "-A needs CPUs");
	check(ARGV(PEAT, "stat", "-j", "-x,", "--", "true"), 64, "-j and -x");
	check(ARGV(PEAT, "stat", "-a", "-I", "0"), 64, "-I '0': use 1 or more milliseconds");
	check(ARGV(PEAT, "stat", "-e", "no-such-event", "--", "true"), 1, "no-such-event");
	check(ARGV(PEAT, "stat", "-e", READS "/nothing==1/", "--", "true"), 1, "invalid filter");
	check(ARGV(PEAT, "stat", "-a", "-C", "65000", "-d", "1"), 1, "no CPU 65000");
	check(ARGV(PEAT, "stat", "--cgroup", "/no/such", "-d", "1"), 1, "is not a cgroup");
}
END_TEST

START_TEST(test_full_device)
{
	run(ARGV(PEAT, "stat", "-e", "page-faults", "-o", "/dev/full", "--", "true"));
	expect_status(1);
	expect_in(peat.err_text, "cannot write to /dev/full: No space left on device");
}
END_TEST

static Suite *stat_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stat", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_same_counts_as_perf);
	tcase_add_test(tests, test_default_events);
	tcase_add_test(tests, test_prints_text_and_status);
	tcase_add_test(tests, test_output_of_the_command_with_json);
	tcase_add_test(tests, test_children_are_counted);
	tcase_add_test(tests, test_writes_file);
	tcase_add_test(tests, test_interrupt_prints_counts);
	tcase_add_test(tests, test_interrupt_that_ends_the_command_first);
	tcase_add_test(tests, test_command_that_cannot_run);
	tcase_add_test(tests, test_counts_until_process_ends);
	tcase_add_test(tests, test_counts_thread);
	tcase_add_test(tests, test_all_cpus);
	tcase_add_test(tests, test_prints_intervals);
	tcase_add_test(tests, test_intervals_lose_nothing);
	tcase_add_test(tests, test_counts_in_cgroup);
	tcase_add_test(tests, test_detailed_events_are_those_of_perf);
	tcase_add_test(tests, test_detailed_events_beside_the_default);
	tcase_add_test(tests, test_intervals_of_perf);
	tcase_add_test(tests, test_mistakes_name_reason);
	tcase_add_test(tests, test_full_device);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stat_suite };

	return harness__main(argc, argv, suites, 1);
}
