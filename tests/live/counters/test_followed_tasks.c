// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_followed_tasks.c: threads, processes and programs that counters of tasks follow. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "live/counters/counted.h"
#include "support/machine/process.h"

/* Each process ends with one. */
#define ENDS "syscalls:sys_enter_exit_group"

static uint64_t count(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value.value;
}

static struct peat_counters_opts counting(const char *events)
{
	return (struct peat_counters_opts){ .sz = sizeof(struct peat_counters_opts),
					    .events = events };
}

static void open_enabled(const struct peat_counters_opts *opts)
{
	teardown();
	open_with(opts);
	enable();
}

/* ---- inherit_thread -------------------------------------------------------------------------- */

static void *call_in_thread(void *unused)
{
	call_getpgid(10);
	return unused;
}

static void call_in_other_thread(void)
{
	pthread_t thread;

	ck_assert(!pthread_create(&thread, NULL, call_in_thread, NULL));
	ck_assert(!pthread_join(thread, NULL));
}

static int call_in_child(void *unused)
{
	(void)unused;
	call_getpgid(100);
	call_in_other_thread();
	return 0;
}

/* The calls of this thread, a thread of it, and a child that has a thread, too. */
static uint64_t count_calls(const struct peat_counters_opts *opts)
{
	open_enabled(opts);
	call_getpgid(1);
	call_in_other_thread();
	process__do(call_in_child, NULL);
	return count(0);
}

START_TEST(test_threads_but_no_children)
{
	struct peat_counters_opts opts = counting(CALLS);

	need_remove_on_exec();
	ck_assert_uint_eq(count_calls(&opts), 1 + 10 + 100 + 10);
	opts.inherit_thread = true;
	ck_assert_uint_eq(count_calls(&opts), 1 + 10);
	opts.inherit_thread = false;
	opts.no_inherit = true;
	ck_assert_uint_eq(count_calls(&opts), 1);
}
END_TEST

START_TEST(test_threads_on_a_cpu)
{
	struct peat_counters_opts opts = counting(CALLS);

	need_remove_on_exec();
	ck_assert_int_eq(process__pin_to(0), 0);
	opts.inherit_thread = true;
	opts.cpus = "0";
	ck_assert_uint_eq(count_calls(&opts), 1 + 10);
}
END_TEST

START_TEST(test_group_of_threads)
{
	struct peat_counters_opts opts = counting("{" CALLS "," ENDS "}");

	need_remove_on_exec();
	opts.inherit_thread = true;
	ck_assert_uint_eq(count_calls(&opts), 1 + 10);
	ck_assert_uint_eq(count(1), 0);
}
END_TEST

/* ---- remove_on_exec -------------------------------------------------------------------------- */

static int execute(void *unused)
{
	(void)unused;
	call_getpgid(10);
	execl("/bin/true", "true", NULL);
	return 1;
}

/* A child is inherited by the counters of this thread. */
static void run_program(void)
{
	ck_assert_int_eq(process__wait(process__start(execute, NULL)), 0);
}

#define PROGRAMS 10

/* This thread is counted on: it may have exchanged its events with those of a child. */
static void check_programs(const char *events)
{
	struct peat_counters_opts opts = counting(events);

	open_enabled(&opts);
	run_program();
	ck_assert_uint_eq(count(0), 10);
	ck_assert_uint_eq(count(1), 1);
	opts.remove_on_exec = true;
	open_enabled(&opts);
	for (unsigned i = 1; i <= PROGRAMS; i++) {
		run_program();
		call_getpgid(1);
		ck_assert_uint_eq(count(0), 11 * i);
		ck_assert_uint_eq(count(1), 0);
	}
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	call_getpgid(100);
	enable();
	call_getpgid(1);
	ck_assert_uint_eq(count(0), 11 * PROGRAMS + 1);
}

START_TEST(test_children_until_they_execute)
{
	need_remove_on_exec();
	check_programs(CALLS "," ENDS);
}
END_TEST

START_TEST(test_group_until_it_executes)
{
	need_remove_on_exec();
	check_programs("{" CALLS "," ENDS "}");
}
END_TEST

static int execute_when_told(void *fds)
{
	char byte;

	return read(*(int *)fds, &byte, 1) == 1 ? execute(NULL) : 1;
}

/* The counted process itself executes a program.  Its counts stay readable. */
static void check_process(bool remove_on_exec, const char *events, uint64_t ends)
{
	struct peat_counters_opts opts = counting(events);
	uint32_t pid;
	int fds[2];

	ck_assert(!pipe(fds));
	pid = (uint32_t)process__start(execute_when_told, fds);
	opts.pids = &pid;
	opts.pid_count = 1;
	opts.remove_on_exec = remove_on_exec;
	open_enabled(&opts);
	ck_assert_int_eq(write(fds[1], "", 1), 1);
	ck_assert_int_eq(process__wait((pid_t)pid), 0);
	ck_assert_uint_eq(count(0), 10);
	ck_assert_uint_eq(count(1), ends);
	close(fds[0]);
	close(fds[1]);
}

START_TEST(test_process_until_it_executes)
{
	need_remove_on_exec();
	check_process(false, CALLS "," ENDS, 1);
	check_process(true, CALLS "," ENDS, 0);
	check_process(false, "{" CALLS "," ENDS "}", 1);
	check_process(true, "{" CALLS "," ENDS "}", 0);
}
END_TEST

/* ---- older kernels --------------------------------------------------------------------------- */

static void expect_refused(const struct peat_counters_opts *opts)
{
	logged[0] = '\0';
	ck_assert_ptr_null(peat_counters__new(opts));
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_msg(strstr(logged, "Linux 5.13"), "%s", logged);
}

START_TEST(test_kernel_without_remove_on_exec)
{
	struct peat_counters_opts opts = counting("page-faults");

	if (has_remove_on_exec())
		skip("this kernel has remove_on_exec");
	opts.remove_on_exec = opts.optional = true;
	expect_refused(&opts);
	opts.inherit_thread = true;
	expect_refused(&opts);
	opts.remove_on_exec = false;
	expect_refused(&opts);
	opts.remove_on_exec = opts.sigtrap = true;
	opts.events = "mem:0x1000/4:w";
	opts.sig_data = 1;
	expect_refused(&opts);
}
END_TEST

static Suite *followed_tasks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("followed_tasks", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_threads_but_no_children);
	tcase_add_test(tests, test_threads_on_a_cpu);
	tcase_add_test(tests, test_group_of_threads);
	tcase_add_test(tests, test_children_until_they_execute);
	tcase_add_test(tests, test_group_until_it_executes);
	tcase_add_test(tests, test_process_until_it_executes);
	tcase_add_test(tests, test_kernel_without_remove_on_exec);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { followed_tasks_suite };

	return harness__main(argc, argv, suites, 1);
}
