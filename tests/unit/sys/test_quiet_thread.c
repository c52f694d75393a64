// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_quiet_thread.c: the signals that such a thread blocks, and those of its creator. */
#include <signal.h>

#include "sys/quiet_thread.h"
#include "unit/suite.h"

static void *read_blocked(void *set)
{
	pthread_sigmask(SIG_SETMASK, NULL, set);
	return set;
}

START_TEST(test_signals_are_blocked)
{
	sigset_t before, in_thread, after;
	pthread_t thread;
	void *result;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	ck_assert_int_eq(quiet_thread__start(&thread, read_blocked, &in_thread), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, &in_thread);
	read_blocked(&after);
	for (int number = 1; number < 32; number++) {
		ck_assert_int_eq(sigismember(&in_thread, number),
				 number != SIGKILL && number != SIGSTOP);
		ck_assert_int_eq(sigismember(&after, number), number == SIGUSR1);
	}
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_signals_are_blocked);
}
