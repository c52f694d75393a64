// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_proc_tasks.c: the threads of a process, and of a user. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/proc_tasks.h"
#include "unit/suite.h"

struct seen {
	uint32_t threads, others, selves;
};

static void see(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct seen *seen = arg;

	ck_assert_ptr_nonnull(comm);
	if (pid != (uint32_t)getpid()) {
		seen->others++;
		return;
	}
	seen->threads++;
	seen->selves += tid == (uint32_t)getpid();
}

static pthread_barrier_t barrier;

static void *wait_twice(void *arg)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return arg;
}

START_TEST(test_of_process)
{
	unsigned fds = process__count_fds();
	struct seen seen = { 0 };
	pthread_t thread;

	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 2), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_twice, NULL), 0);
	pthread_barrier_wait(&barrier);
	ck_assert_int_eq(proc_tasks__of_process((uint32_t)getpid(), see, &seen), 0);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(seen.threads, 2);
	ck_assert_uint_eq(seen.selves, 1);
	ck_assert_uint_eq(seen.others, 0);
	ck_assert_int_eq(proc_tasks__of_process(UINT32_MAX, see, &seen), -ESRCH);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_of_user)
{
	struct seen seen = { 0 };

	ck_assert_int_eq(proc_tasks__of_user(geteuid(), see, &seen), 0);
	ck_assert_uint_eq(seen.selves, 1);
	seen = (struct seen){ 0 };
	ck_assert_int_eq(proc_tasks__of_user(UINT32_MAX - 1, see, &seen), -ESRCH);
	ck_assert_uint_eq(seen.threads + seen.others, 0);
	ck_assert_int_eq(proc_tasks__each(see, &seen), 0);
	ck_assert_uint_eq(seen.selves, 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_of_process);
	tcase_add_test(tests, test_of_user);
}
