// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cpu_switch.c: the tests' own switch for CPUs puts them back, whatever ends the process. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>

#include "support/machine/cpu_switch.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/cpus.h"

static uint32_t last;
static int ready[2];

static void pause_ms(long ms)
{
	struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

static bool is_guard(const char *pid)
{
	char path[300], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		*name = '\0';
	fclose(file);
	return !strcmp(name, CPU_SWITCH_GUARD "\n");
}

static bool has_guards(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	bool found = false;

	ck_assert_ptr_nonnull(proc);
	while (!found && (entry = readdir(proc)))
		found = isdigit((unsigned char)*entry->d_name) && is_guard(entry->d_name);
	closedir(proc);
	return found;
}

/* A guard that is late would switch on what the next process switches off. */
static void wait_for_guards(void)
{
	for (int i = 0; has_guards(); i++) {
		ck_assert_msg(i < 1000, "a guard has not ended after 10 s");
		pause_ms(10);
	}
}

static void setup(void)
{
	wait_for_guards();
	struct cpus online;

	ck_assert_int_eq(cpus__read(&online, "online"), 0);
	last = online.limit - 1;
	cpus__free(&online);
	ck_assert_int_eq(pipe(ready), 0);
}

static void expect_state(bool on)
{
	for (int i = 0; cpu_switch__is_on(last) != on; i++) {
		ck_assert_msg(i < 1000, "CPU %u is %s after 10 s", last, on ? "off" : "on");
		pause_ms(10);
	}
}

/* This process switches nothing itself, or its own guard would do the work. */
static bool can_switch(void)
{
	pid_t child;
	int status;

	expect_state(true);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(!last || cpu_switch__set(last, "0") || cpu_switch__set(last, "1"));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	wait_for_guards();
	return !status;
}

#define need_switch()                                                                              \
	do {                                                                                       \
		if (!can_switch())                                                                 \
			skip("no CPU that can be switched off");                                   \
	} while (0)

/* A child of this process that switches the CPU and reports it. */
static pid_t start_switching(const char *state)
{
	pid_t child = fork();
	char byte;

	ck_assert_int_ge(child, 0);
	if (!child) {
		signal(SIGTERM, SIG_DFL); /* libcheck's handlers */
		signal(SIGINT, SIG_DFL);
		if (cpu_switch__set(last, state) || write(ready[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	ck_assert(cpu_switch__is_on(last) == (*state == '1'));
	return child;
}

static const int signals[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGABRT };

START_TEST(test_signal_restores_cpu)
{
	pid_t child;
	int status;

	need_switch();
	child = start_switching("0");
	ck_assert_int_eq(kill(child, signals[_i]), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	expect_state(true);
}
END_TEST

/* As libcheck does it when a test exceeds its time. */
START_TEST(test_kill_of_process_group)
{
	pid_t child;
	int status;

	need_switch();
	child = start_switching("0");
	ck_assert_int_eq(setpgid(child, child), 0);
	ck_assert_int_eq(killpg(child, SIGKILL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	expect_state(true);
}
END_TEST

START_TEST(test_end_without_switching_back)
{
	pid_t child;
	int status;

	need_switch();
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(cpu_switch__set(last, "0") != 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	expect_state(true);
}
END_TEST

/* The runner is killed while its test, a process of its own group, has the CPU off. */
START_TEST(test_end_of_runner)
{
	int status, pipe_of_test[2];
	pid_t runner;
	char byte;

	need_switch();
	ck_assert_int_eq(pipe(pipe_of_test), 0);
	runner = fork();
	ck_assert_int_ge(runner, 0);
	if (!runner) {
		close(pipe_of_test[0]);
		start_switching("0");
		if (write(pipe_of_test[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(pipe_of_test[1]);
	ck_assert_int_eq(read(pipe_of_test[0], &byte, 1), 1);
	ck_assert(!cpu_switch__is_on(last));
	ck_assert_int_eq(kill(runner, SIGKILL), 0);
	ck_assert_int_eq(waitpid(runner, &status, 0), runner);
	expect_state(true);
	ck_assert_int_eq(read(pipe_of_test[0], &byte, 1), 0); /* the test ended, too */
}
END_TEST

/* A process that found a CPU off, and switched it on, does not switch it off again. */
START_TEST(test_found_off)
{
	pid_t outer, inner;
	int status;

	need_switch();
	outer = start_switching("0");
	inner = start_switching("1");
	ck_assert_int_eq(kill(outer, SIGKILL), 0);
	ck_assert_int_eq(waitpid(outer, &status, 0), outer);
	expect_state(true);
	ck_assert_int_eq(kill(inner, SIGKILL), 0);
	ck_assert_int_eq(waitpid(inner, &status, 0), inner);
	wait_for_guards();
	expect_state(true);
}
END_TEST

/* The guard is not a child of this process, and keeps none of its fds open. */
START_TEST(test_guard_is_not_in_the_way)
{
	int pipe_of_test[2], status;
	pid_t child;
	char byte;

	need_switch();
	ck_assert_int_eq(pipe(pipe_of_test), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		if (cpu_switch__set(last, "0") || waitpid(-1, NULL, 0) != -1 || errno != ECHILD)
			_exit(1);
		close(pipe_of_test[1]);
		pause_ms(1000);
		_exit(0);
	}
	close(pipe_of_test[1]);
	ck_assert_int_eq(read(pipe_of_test[0], &byte, 1), 0);
	ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	expect_state(true);
}
END_TEST

static Suite *cpu_switch_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("cpu_switch", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_loop_test(tests, test_signal_restores_cpu, 0,
			    (int)(sizeof(signals) / sizeof(*signals)));
	tcase_add_test(tests, test_kill_of_process_group);
	tcase_add_test(tests, test_end_without_switching_back);
	tcase_add_test(tests, test_end_of_runner);
	tcase_add_test(tests, test_found_off);
	tcase_add_test(tests, test_guard_is_not_in_the_way);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { cpu_switch_suite };

	return harness__main(argc, argv, suites, 1);
}
