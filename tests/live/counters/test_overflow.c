// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_overflow.c: counters that overflow wake poll(2). */
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/counters/counted.h"
#include "support/machine/process.h"

/* Events of software happen in the thread that causes them: a wakeup is there when it returns. */
static bool is_readable(void)
{
	struct pollfd fd = { .fd = peat_counters__overflow_fd(counters), .events = POLLIN };

	ck_assert_int_ge(fd.fd, 0);
	ck_assert_int_ge(poll(&fd, 1, 0), 0);
	return fd.revents & POLLIN;
}

/* The wakeup is an interrupt of its own: another CPU may be late with it. */
static void await_overflow(void)
{
	struct pollfd fd = { .fd = peat_counters__overflow_fd(counters), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, 10000), 1);
}

static uint64_t count(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value.value;
}

static void open_self(const char *events, uint64_t period)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = events, .self = true, .period = period
	};

	open_with(&opts);
	enable();
}

START_TEST(test_each_period)
{
	open_self(CALLS, 100);
	call_getpgid(99);
	ck_assert(!is_readable());
	call_getpgid(1);
	await_overflow();
	ck_assert(!is_readable());
	ck_assert_uint_eq(count(0), 100);
	call_getpgid(99);
	ck_assert(!is_readable());
	call_getpgid(1);
	await_overflow();
	ck_assert_uint_eq(count(0), 200);
}
END_TEST

/* A wakeup that nobody polled is gone after the reading that has its counts. */
START_TEST(test_reading_clears)
{
	open_self(CALLS, 100);
	call_getpgid(1000);
	ck_assert_uint_eq(count(0), 1000);
	ck_assert(!is_readable());
}
END_TEST

START_TEST(test_each_event_has_its_period)
{
	open_self(CALLS ",syscalls:sys_enter_getpgid/period=30/", 50);
	call_getpgid(29);
	ck_assert(!is_readable());
	call_getpgid(1);
	await_overflow();
	ck_assert_uint_eq(count(1), 30);
	call_getpgid(19);
	ck_assert(!is_readable());
	call_getpgid(1);
	await_overflow();
	ck_assert_uint_eq(count(0), 50);
}
END_TEST

/* ---- tasks ----------------------------------------------------------------------------------- */

static pid_t start_child(int *start_fd, unsigned calls)
{
	int fds[2];
	pid_t pid;
	char byte;

	ck_assert(!pipe(fds));
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1 && !fork())
			call_getpgid(calls); /* in a process that inherits the counter */
		_exit(0);
	}
	close(fds[0]);
	*start_fd = fds[1];
	return pid;
}

static void open_tasks(const uint32_t *pids, uint32_t count)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = CALLS "," CALLS,
						 .pids = pids,
						 .pid_count = count,
						 .period = 10 };

	open_with(&opts);
	enable();
}

START_TEST(test_children_of_two_processes)
{
	uint32_t pids[2];
	int fds[2];

	for (int i = 0; i < 2; i++)
		pids[i] = (uint32_t)start_child(&fds[i], 1000);
	open_tasks(pids, 2);
	ck_assert(!is_readable());
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(write(fds[i], "x", 1), 1);
		await_overflow();
		while (count(0) < 1000 * (unsigned)(i + 1))
			usleep(1000);
		ck_assert_int_eq(waitpid((pid_t)pids[i], NULL, 0), (pid_t)pids[i]);
		close(fds[i]);
	}
	ck_assert_uint_eq(count(1), 2000);
}
END_TEST

/* A hang-up is reported once: a loop around poll(2) sleeps again. */
START_TEST(test_end_of_a_task)
{
	uint32_t pid;
	int fd;

	pid = (uint32_t)start_child(&fd, 1);
	open_tasks(&pid, 1);
	close(fd);
	ck_assert_int_eq(waitpid((pid_t)pid, NULL, 0), (pid_t)pid);
	count(0);
	count(0);
	ck_assert(!is_readable());
}
END_TEST

/* ---- all tasks ------------------------------------------------------------------------------- */

START_TEST(test_all_tasks)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = CALLS, .all_tasks = true, .period = 1000
	};

	open_with(&opts);
	enable();
	call_getpgid(100000); /* on any CPU */
	await_overflow();
	ck_assert_uint_ge(count(0), 100000);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void expect_refused(const char *events, uint64_t period, const char *message)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = events, .self = true, .period = period
	};

	logged[0] = '\0';
	ck_assert_ptr_null(peat_counters__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(logged, message), "%s", logged);
}

START_TEST(test_refused_periods)
{
	expect_refused("page-faults", 1ULL << 63, "2^63 - 1");
	expect_refused("cpu-clock/freq=100/", 1000, "freq=");
	open_self("page-faults", 0);
	ck_assert_int_eq(peat_counters__overflow_fd(counters), -EINVAL);
	ck_assert_msg(strstr(logged, "period"), "%s", logged);
}
END_TEST

static Suite *overflow_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("overflow", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_each_period);
	tcase_add_test(tests, test_reading_clears);
	tcase_add_test(tests, test_each_event_has_its_period);
	tcase_add_test(tests, test_children_of_two_processes);
	tcase_add_test(tests, test_end_of_a_task);
	tcase_add_test(tests, test_all_tasks);
	tcase_add_test(tests, test_refused_periods);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { overflow_suite };

	return harness__main(argc, argv, suites, 1);
}
