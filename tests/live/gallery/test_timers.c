// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_timers.c: signals and wakeups of timers, while an unrelated task has the CPU: the probes
 * signal and offcpu.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/tracing.h"

#define EVENTS 5
#define MS     1000000LL

static int ready[2];

static void start_timed(void)
{
	prctl(PR_SET_NAME, "timed");
	process__pin();
	ck_assert_int_eq(write(ready[1], "r", 1), 1);
}

/* It runs whenever the timed process does not: the timers interrupt it. */
static int be_busy(void *unused)
{
	(void)unused;
	process__pin();
	while (getppid() != 1)
		;
	return 0;
}

static const char *text_of(pid_t pid)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return text;
}

static pid_t start_child(int (*function)(void *))
{
	pid_t child;
	char byte;

	ck_assert_int_eq(pipe(ready), 0);
	child = process__start(function, NULL);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	process__wait(child);
}

static void ignore(int signal)
{
	(void)signal;
}

/* ---- signals --------------------------------------------------------------------------------- */

static void set_handler(int signal)
{
	const struct sigaction action = { .sa_handler = ignore };

	sigaction(signal, &action, NULL);
}

static int wait_for_alarms(void *unused)
{
	const struct itimerval often = { { 0, 20000 }, { 0, 20000 } };

	(void)unused;
	start_timed();
	set_handler(SIGALRM);
	setitimer(ITIMER_REAL, &often, NULL);
	for (;;)
		pause();
	return 0;
}

static int wait_for_posix_timer(void *unused)
{
	const struct itimerspec often = { { 0, 20 * MS }, { 0, 20 * MS } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;

	(void)unused;
	start_timed();
	set_handler(SIGUSR1);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL))
		return 1;
	for (;;)
		pause();
	return 0;
}

static int use_cpu_time(void *unused)
{
	const struct itimerval often = { { 0, 20000 }, { 0, 20000 } };

	(void)unused;
	start_timed();
	set_handler(SIGPROF);
	setitimer(ITIMER_PROF, &often, NULL);
	return be_busy(NULL);
}

static void expect_timer(const char *event, pid_t pid, const char *signal, const char *code)
{
	expect_number(event, "pid", pid);
	expect_number(event, "tid", pid);
	expect_text(event, "comm", "timed");
	expect_number(event, "target", pid);
	expect_text(event, "target_comm", "timed");
	expect_text(event, "signal", signal);
	expect_text(event, "code", code);
	expect_text(event, "sender", "timer");
	ck_assert_msg(!json_lines__text(event, "stack[0].symbol"), "%s", event);
}

/* The filter is that of the receiver, and the task that the timer interrupts sends nothing. */
static void check_signals(int (*function)(void *), const char *signal, const char *code)
{
	pid_t timed = start_child(function), bystander = process__start(be_busy, NULL);
	struct tracing tracing;
	size_t from = 0, seen = 0;
	const char *event;

	tracing__start(&tracing, TRACE("signal", "--stacks", "both", "-p", text_of(timed), "-n",
				       "5", "-d", "20"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, EVENTS);
	while ((event = tracing__next(&tracing, "signal", timed, &from))) {
		expect_timer(event, timed, signal, code);
		seen++;
	}
	ck_assert_uint_eq(seen, EVENTS);
	tracing__free(&tracing);
	tracing__start(&tracing, TRACE("signal", "-p", text_of(bystander), "-d", "300ms"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
	end_child(bystander);
	end_child(timed);
}

START_TEST(test_interval_timer)
{
	check_signals(wait_for_alarms, "SIGALRM", "SI_KERNEL");
}
END_TEST

START_TEST(test_posix_timer)
{
	check_signals(wait_for_posix_timer, "SIGUSR1", "SI_TIMER");
}
END_TEST

START_TEST(test_timer_of_cpu_time)
{
	check_signals(use_cpu_time, "SIGPROF", "SI_KERNEL");
}
END_TEST

static int wait_for_signals(void *unused)
{
	(void)unused;
	start_timed();
	set_handler(SIGUSR1);
	for (;;)
		pause();
	return 0;
}

/* A process can send the code of a timer. */
START_TEST(test_forged_timer)
{
	siginfo_t forged = { .si_code = SI_TIMER };
	pid_t target = start_child(wait_for_signals);
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("signal", "-p", text_of(getpid())));
	ck_assert_int_eq(syscall(SYS_rt_sigqueueinfo, target, SIGUSR1, &forged), 0);
	kill(target, SIGUSR1);
	tracing__stop(&tracing);
	for (size_t i = 0, from = 0; i < 2; i++) {
		event = tracing__next(&tracing, "signal", getpid(), &from);
		ck_assert_ptr_nonnull(event);
		expect_number(event, "target", target);
		expect_text(event, "sender", "process");
	}
	end_child(target);
	tracing__free(&tracing);
}
END_TEST

/* ---- wakeups --------------------------------------------------------------------------------- */

static int sleep_often(void *unused)
{
	(void)unused;
	start_timed();
	for (;;)
		nanosleep(&(struct timespec){ .tv_nsec = 30 * MS }, NULL);
	return 0;
}

START_TEST(test_wakeup_by_timer)
{
	pid_t timed = start_child(sleep_often), bystander = process__start(be_busy, NULL);
	struct tracing tracing;
	size_t from = 0, woken = 0, unseen = 0;
	const char *event;

	tracing__start(&tracing,
		       TRACE("offcpu,min=10ms", "-p", text_of(timed), "-n", "10", "-d", "20"));
	tracing__finish(&tracing);
	end_child(bystander);
	end_child(timed);
	while ((event = tracing__next(&tracing, "offcpu", timed, &from))) {
		if (strcmp(json_lines__text(event, "state"), "sleeping"))
			continue; /* preempted */
		expect_number(event, "waker", 0);
		if (!strcmp(json_lines__text(event, "waker_comm"), "")) {
			unseen++; /* the interrupt came while the program ran for another wakeup */
			continue;
		}
		expect_text(event, "waker_comm", "[timer]");
		woken++;
	}
	ck_assert_uint_ge(woken, EVENTS);
	ck_assert_uint_le(unseen, command__missed(&tracing.peat));
	tracing__free(&tracing);
}
END_TEST

static Suite *timers_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("timers", 60, &tests);

	tcase_add_test(tests, test_interval_timer);
	tcase_add_test(tests, test_posix_timer);
	tcase_add_test(tests, test_timer_of_cpu_time);
	tcase_add_test(tests, test_forged_timer);
	tcase_add_test(tests, test_wakeup_by_timer);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { timers_suite };

	return harness__main(argc, argv, suites, 1);
}
