// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_targets.c: threads and CPUs that the options of counters select. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters/targets.h"
#include "sys/cpus.h"
#include "unit/suite.h"

static struct targets targets;

static int find(const struct peat_counters_opts *opts)
{
	targets__free(&targets);
	return targets__find(&targets, opts);
}

static bool has(pid_t tid, int cpu)
{
	for (uint32_t i = 0; i < targets.count; i++)
		if (targets.at[i].tid == tid && targets.at[i].cpu == cpu)
			return true;
	return false;
}

START_TEST(test_own_thread)
{
	struct peat_counters_opts opts = PEAT_COUNTERS_OPTS_INIT;

	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 1);
	ck_assert(has(0, -1));
	ck_assert(!targets.are_cpus);
	opts.cpus = "0";
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 1);
	ck_assert(has(0, 0));
	targets__free(&targets);
}
END_TEST

/* The kernel gives an inherited event a ring only on one CPU. */
START_TEST(test_overflows_of_tasks_with_children)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .period = 1000 };
	struct cpus possible;

	ck_assert_int_eq(cpus__read(&possible, "possible"), 0);
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, cpus__count(&possible));
	for_each_cpu (cpu, &possible)
		ck_assert(has(0, (int)cpu));
	ck_assert(!targets.are_cpus);
	opts.cpus = "0";
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 1);
	opts.cpus = NULL;
	opts.no_inherit = true;
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 1);
	ck_assert(has(0, -1));
	targets__free(&targets);
	cpus__free(&possible);
}
END_TEST

static pthread_barrier_t barrier;

static void *wait_for_test(void *tid)
{
	*(pid_t *)tid = (pid_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

START_TEST(test_process_has_threads)
{
	uint32_t pid = (uint32_t)getpid();
	struct peat_counters_opts opts = { .sz = sizeof(opts), .pids = &pid, .pid_count = 1 };
	pthread_t thread;
	pid_t tid;

	pthread_barrier_init(&barrier, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_test, &tid), 0);
	pthread_barrier_wait(&barrier);
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 2);
	ck_assert(has(getpid(), -1));
	ck_assert(has(tid, -1));
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	targets__free(&targets);
}
END_TEST

START_TEST(test_all_tasks)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .all_tasks = true };
	struct cpus possible;

	ck_assert_int_eq(cpus__read(&possible, "possible"), 0);
	ck_assert_int_eq(find(&opts), 0);
	ck_assert(targets.are_cpus);
	ck_assert_uint_eq(targets.count, cpus__count(&possible));
	for_each_cpu (cpu, &possible)
		ck_assert(has(-1, (int)cpu));
	cpus__free(&possible);
	opts.cpus = "0";
	ck_assert_int_eq(find(&opts), 0);
	ck_assert_uint_eq(targets.count, 1);
	targets__free(&targets);
}
END_TEST

START_TEST(test_wrong_options)
{
	uint32_t pid = (uint32_t)getpid(), zero = 0, large = UINT32_MAX;
	struct peat_counters_opts opts = { .sz = sizeof(opts), .pids = &pid, .pid_count = 1 };

	opts.all_tasks = true;
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.all_tasks = false;
	opts.cgroup = "/";
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.cgroup = NULL;
	opts.pids = &zero;
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.pids = &large;
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.pid_count = 0;
	opts.enable_on_exec = true;
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.enable_on_exec = false;
	opts.cpus = "x";
	ck_assert_int_eq(find(&opts), -EINVAL);
	opts.cpus = NULL;
	opts.cgroup = "/no/such/cgroup";
	ck_assert_int_eq(find(&opts), -ENOENT);
	targets__free(&targets);
}
END_TEST

START_TEST(test_ended_process)
{
	uint32_t pid = (uint32_t)fork();
	struct peat_counters_opts opts = { .sz = sizeof(opts), .pids = &pid, .pid_count = 1 };

	if (!pid)
		_exit(0);
	ck_assert_int_eq(waitpid((pid_t)pid, NULL, 0), (pid_t)pid);
	ck_assert_int_eq(find(&opts), -ESRCH);
	targets__free(&targets);
}
END_TEST

static void setup(void)
{
	targets = (struct targets){ .cgroup_fd = -1 };
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_own_thread);
	tcase_add_test(tests, test_overflows_of_tasks_with_children);
	tcase_add_test(tests, test_process_has_threads);
	tcase_add_test(tests, test_all_tasks);
	tcase_add_test(tests, test_wrong_options);
	tcase_add_test(tests, test_ended_process);
}
