// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_grace_thread.c: grace periods that end when the test says so, with and without a thread. */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/grace_thread.h"
#include "unit/fake_grace_period.h"
#include "unit/suite.h"

static struct grace_thread grace;
static sem_t may_end;
static sigset_t blocked; /* in the thread that waits */

static void wait_for_test(void)
{
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	while (sem_wait(&may_end))
		;
}

static void setup(void)
{
	ck_assert_int_eq(sem_init(&may_end, 0, 0), 0);
	fake_grace_period__set(wait_for_test, 0);
	grace = (struct grace_thread){ 0 };
}

static void teardown(void)
{
	grace_thread__close(&grace);
	fake_grace_period__set(NULL, 0);
	sem_destroy(&may_end);
}

START_TEST(test_none_begun)
{
	ck_assert_int_eq(grace_thread__poll(&grace, 0), 0);
	ck_assert_int_eq(grace_thread__poll(&grace, -1), 0);
	ck_assert_uint_eq(fake_grace_period__waits(), 0);
}
END_TEST

START_TEST(test_caller_goes_on)
{
	for (unsigned i = 1; i < 4; i++) {
		grace_thread__begin(&grace);
		ck_assert(grace.is_begun);
		ck_assert_int_eq(grace_thread__poll(&grace, 0), -EAGAIN);
		ck_assert_int_eq(grace_thread__poll(&grace, 2), -EAGAIN);
		ck_assert(grace.is_begun);
		sem_post(&may_end);
		ck_assert_int_eq(grace_thread__poll(&grace, -1), 0);
		ck_assert(!grace.is_begun);
		ck_assert_int_eq(grace_thread__poll(&grace, 0), 0);
		ck_assert_uint_eq(fake_grace_period__waits(), i);
	}
}
END_TEST

/* Signals are handled by the program's threads. */
START_TEST(test_thread_blocks_signals)
{
	sigset_t before;

	sem_post(&may_end);
	grace_thread__begin(&grace);
	ck_assert_int_eq(grace_thread__poll(&grace, -1), 0);
	ck_assert_int_eq(sigismember(&blocked, SIGALRM), 1);
	ck_assert_int_eq(sigismember(&blocked, SIGUSR1), 1);
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	ck_assert_int_eq(sigismember(&before, SIGALRM), 0);
}
END_TEST

START_TEST(test_failed_wait_is_returned)
{
	fake_grace_period__set(wait_for_test, -ENOMEM);
	grace_thread__begin(&grace);
	ck_assert_int_eq(grace_thread__poll(&grace, 0), -EAGAIN);
	sem_post(&may_end);
	ck_assert_int_eq(grace_thread__poll(&grace, -1), -ENOMEM);
	ck_assert(!grace.is_begun);
}
END_TEST

START_TEST(test_close_waits)
{
	sem_post(&may_end);
	grace_thread__begin(&grace);
	grace_thread__close(&grace);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
	ck_assert(!grace.is_begun);
}
END_TEST

/* A child does not have the thread: it must not wait for it. */
START_TEST(test_child_does_not_wait)
{
	pid_t child;
	int status;

	grace_thread__begin(&grace);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		grace_thread__disown(&grace);
		grace_thread__close(&grace);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(grace_thread__poll(&grace, 0), -EAGAIN);
	sem_post(&may_end);
}
END_TEST

/* Threads count as processes of the user, which root may start without limit. */
START_TEST(test_no_thread)
{
	struct rlimit none = { 0, 0 };
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child) {
		fake_grace_period__set(NULL, -EPERM);
		if ((!geteuid() && setuid(65534)) || setrlimit(RLIMIT_NPROC, &none))
			_exit(1);
		grace_thread__begin(&grace);
		_exit(grace.has_thread || fake_grace_period__waits() != 1 ||
		      grace_thread__poll(&grace, 0) != -EPERM || grace.is_begun);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_none_begun);
	tcase_add_test(tests, test_caller_goes_on);
	tcase_add_test(tests, test_thread_blocks_signals);
	tcase_add_test(tests, test_failed_wait_is_returned);
	tcase_add_test(tests, test_close_waits);
	tcase_add_test(tests, test_child_does_not_wait);
	tcase_add_test(tests, test_no_thread);
}
