// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_overflow_signal.c: signals of counters that overflow, countdowns, and changed periods. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/counters/counted.h"

/* ---- signals --------------------------------------------------------------------------------- */

#define SIGNAL	  (SIGRTMIN + 3)
#define KEPT_MOST 16

/* Signals that the handler got. */
static struct {
	int code;
	int64_t event;
	pid_t tid;
} kept[KEPT_MOST];
static volatile sig_atomic_t kept_count;

static void keep_signal(int number, siginfo_t *info, void *context)
{
	int err = errno;

	(void)number;
	(void)context;
	if (kept_count < KEPT_MOST) {
		kept[kept_count].code = info->si_code;
		kept[kept_count].event = peat_counters__event_of_fd(counters, info->si_fd);
		kept[kept_count].tid = (pid_t)syscall(SYS_gettid);
		kept_count++;
	}
	errno = err;
}

/* The kernel sends it in an interrupt of its own. */
static void await_signals(int count)
{
	while (kept_count < count)
		usleep(1000);
	ck_assert_int_eq(kept_count, count);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_sigaction = keep_signal,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	kept_count = 0;
	ck_assert(!sigaction(SIGNAL, &action, NULL));
}

/* ---- counters -------------------------------------------------------------------------------- */

static void open_self(const char *events, uint64_t period, int signal)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = events,
						 .self = true,
						 .overflow_signal = (uint8_t)signal,
						 .period = period };

	open_with(&opts);
}

static uint64_t count(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value.value;
}

static bool has_overflowed(int timeout_ms)
{
	struct pollfd fd = { .fd = peat_counters__overflow_fd(counters), .events = POLLIN };

	ck_assert_int_ge(poll(&fd, 1, timeout_ms), 0);
	return fd.revents & POLLIN;
}

/* The next overflow is after `calls` calls, and not before. */
static void expect_overflow_after(unsigned calls)
{
	call_getpgid(calls - 1);
	ck_assert(!has_overflowed(0));
	call_getpgid(1);
	ck_assert(has_overflowed(10000));
}

/* ---- tests of signals ------------------------------------------------------------------------ */

static void *call_in_thread(void *tid)
{
	*(pid_t *)tid = (pid_t)syscall(SYS_gettid);
	open_self(CALLS, 10, SIGNAL);
	enable();
	call_getpgid(10);
	await_signals(1);
	return NULL;
}

/* The other thread could handle a signal to the process as well. */
START_TEST(test_thread_that_caused_it)
{
	pthread_t thread;
	pid_t tid;

	catch_signals();
	ck_assert(!pthread_create(&thread, NULL, call_in_thread, &tid));
	ck_assert(!pthread_join(thread, NULL));
	ck_assert_int_eq(kept[0].tid, tid);
	ck_assert_int_ne(tid, getpid());
	ck_assert_int_eq(kept[0].event, 0);
	ck_assert_int_eq(kept[0].code, POLL_IN);
}
END_TEST

START_TEST(test_signal_names_its_event)
{
	catch_signals();
	open_self("task-clock/period=1000000000000/," CALLS "/period=7/," CALLS, 10, SIGNAL);
	enable();
	call_getpgid(7);
	await_signals(1);
	call_getpgid(3);
	await_signals(2);
	ck_assert_int_eq(kept[0].event, 1);
	ck_assert_int_eq(kept[1].event, 2);
	ck_assert_int_eq(peat_counters__event_of_fd(counters, -1), -ENOENT);
	ck_assert_int_eq(peat_counters__event_of_fd(counters, STDERR_FILENO), -ENOENT);
}
END_TEST

/* ---- countdowns ------------------------------------------------------------------------------ */

START_TEST(test_hang_up_after_the_last)
{
	catch_signals();
	open_self(CALLS, 10, SIGNAL);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 3), 0);
	for (int i = 1; i <= 3; i++) {
		call_getpgid(10);
		await_signals(i);
		ck_assert_int_eq(kept[i - 1].code, i < 3 ? POLL_IN : POLL_HUP);
	}
	call_getpgid(100);
	ck_assert_uint_eq(count(0), 30);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1), 0);
	call_getpgid(100);
	await_signals(4);
	ck_assert_int_eq(kept[3].code, POLL_HUP);
	ck_assert_uint_eq(count(0), 40);
}
END_TEST

/* The fd wakes for each overflow of a countdown, and not again after it. */
START_TEST(test_countdown_without_signals)
{
	open_self(CALLS, 10, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 2), 0);
	expect_overflow_after(10);
	expect_overflow_after(10);
	call_getpgid(100);
	ck_assert(!has_overflowed(0));
	ck_assert_uint_eq(count(0), 20);
}
END_TEST

START_TEST(test_countdowns_add_up)
{
	open_self(CALLS, 10, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 2), 0);
	call_getpgid(15);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 2), 0);
	call_getpgid(100);
	ck_assert_uint_eq(count(0), 15 + 30);
}
END_TEST

/* ---- changed periods ------------------------------------------------------------------------- */

/* The kernel alone would overflow at the next call, and then after the old period again. */
START_TEST(test_period_while_it_runs)
{
	open_self(CALLS, 100, 0);
	enable();
	call_getpgid(50);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 10), 0);
	expect_overflow_after(10);
	expect_overflow_after(10);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 200), 0);
	expect_overflow_after(200);
	ck_assert_uint_eq(count(0), 270);
}
END_TEST

START_TEST(test_period_of_a_member)
{
	open_self("{task-clock," CALLS "}", 1000000000000, 0);
	enable();
	ck_assert_int_eq(peat_counters__set_period(counters, 1, 10), 0);
	expect_overflow_after(10);
	ck_assert_uint_eq(count(1), 10);
}
END_TEST

START_TEST(test_period_while_it_is_disabled)
{
	open_self(CALLS, 100, 0);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 10), 0);
	call_getpgid(100);
	ck_assert_uint_eq(count(0), 0);
	enable();
	expect_overflow_after(10);
}
END_TEST

/* A countdown stops, and its next one has the new period. */
START_TEST(test_period_of_a_countdown)
{
	open_self(CALLS, 100, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1), 0);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 10), 0);
	call_getpgid(1000);
	ck_assert_uint_eq(count(0), 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1), 0);
	expect_overflow_after(10);
}
END_TEST

START_TEST(test_period_of_all_cpus)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = CALLS, .all_tasks = true, .period = 1ULL << 40
	};

	open_with(&opts);
	enable();
	call_getpgid(1000);
	ck_assert(!has_overflowed(0));
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 100), 0);
	call_getpgid(100000);
	ck_assert(has_overflowed(10000));
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void expect_refused(const struct peat_counters_opts *opts, const char *message)
{
	logged[0] = '\0';
	ck_assert_ptr_null(peat_counters__new(opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(logged, message), "%s", logged);
}

START_TEST(test_refused_signals)
{
	struct peat_counters_opts opts = PEAT_COUNTERS_OPTS_INIT;

	opts.events = "page-faults";
	opts.overflow_signal = SIGUSR1;
	opts.self = true;
	expect_refused(&opts, "needs self and period");
	opts.period = 1;
	opts.self = false;
	expect_refused(&opts, "needs self and period");
	opts.self = true;
	opts.overflow_signal = 65;
	expect_refused(&opts, "no signal");
}
END_TEST

START_TEST(test_refused_calls)
{
	const uint32_t pid = (uint32_t)getpid();
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = "page-faults",
						 .pids = &pid,
						 .pid_count = 1,
						 .enable_on_exec = true,
						 .period = 1 };

	open_self("page-faults", 1000, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 1, 1), -EINVAL);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 0), -EINVAL);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1U << 31), -EINVAL);
	ck_assert_int_eq(peat_counters__set_period(counters, 1, 1), -EINVAL);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 0), -EINVAL);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 1ULL << 63), -EINVAL);
	peat_counters__free(counters);
	open_self("{page-faults,context-switches}", 1000, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 1, 1), -EINVAL);
	ck_assert_msg(strstr(logged, "out of the group"), "%s", logged);
	peat_counters__free(counters);
	open_self("page-faults", 0, 0);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1), -EINVAL);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 1), -EINVAL);
	peat_counters__free(counters);
	open_with(&opts);
	ck_assert_int_eq(peat_counters__refresh(counters, 0, 1), -EINVAL);
	ck_assert_int_eq(peat_counters__set_period(counters, 0, 1), -EINVAL);
	ck_assert_msg(strstr(logged, "enable_on_exec"), "%s", logged);
}
END_TEST

static Suite *overflow_signal_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("overflow_signal", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_thread_that_caused_it);
	tcase_add_test(tests, test_signal_names_its_event);
	tcase_add_test(tests, test_hang_up_after_the_last);
	tcase_add_test(tests, test_countdown_without_signals);
	tcase_add_test(tests, test_countdowns_add_up);
	tcase_add_test(tests, test_period_while_it_runs);
	tcase_add_test(tests, test_period_of_a_member);
	tcase_add_test(tests, test_period_while_it_is_disabled);
	tcase_add_test(tests, test_period_of_a_countdown);
	tcase_add_test(tests, test_period_of_all_cpus);
	tcase_add_test(tests, test_refused_signals);
	tcase_add_test(tests, test_refused_calls);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { overflow_signal_suite };

	return harness__main(argc, argv, suites, 1);
}
