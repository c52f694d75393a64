// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_breakpoint_signal.c: breakpoints that send SIGTRAP to the thread that hits them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/counters/counted.h"
#include "support/machine/breakpoints.h"
#include "support/machine/process.h"

#if defined(__x86_64__)
#define need_signals()                                                                             \
	need_remove_on_exec();                                                                     \
	need_breakpoints()
#else
#define need_signals() skip("breakpoints send signals on x86 only")
#endif

/* ---- signals --------------------------------------------------------------------------------- */

#define SIG_DATA  0xfedcba9876543210
#define KEPT_MOST 64

static volatile uint32_t watched[2];

/* Signals that the handler got. */
static struct {
	int err;
	uint64_t data;
	const volatile void *address;
	uint32_t value; /* of watched[0] */
	pid_t tid;
} kept[KEPT_MOST];
static volatile sig_atomic_t kept_count;

static void keep_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	if (kept_count == KEPT_MOST)
		return;
	kept[kept_count].err = peat_counters__trap_data(info, &kept[kept_count].data);
	kept[kept_count].address = info->si_addr;
	kept[kept_count].value = watched[0];
	kept[kept_count].tid = (pid_t)syscall(SYS_gettid);
	kept_count++;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_sigaction = keep_signal, .sa_flags = SA_SIGINFO };

	kept_count = 0;
	ck_assert(!sigaction(SIGTRAP, &action, NULL));
}

/* Breakpoints on writes to watched[0] and watched[1]. */
static const char *both(void)
{
	static char events[128];

	snprintf(events, sizeof(events), "mem:%p/4:w,mem:%p/4:w", (void *)&watched[0],
		 (void *)&watched[1]);
	return events;
}

/* Counters that signal, with the calling thread and the threads that it will create. */
static struct peat_counters_opts signalling(const char *events)
{
	return (struct peat_counters_opts){ .sz = sizeof(struct peat_counters_opts),
					    .events = events,
					    .inherit_thread = true,
					    .remove_on_exec = true,
					    .sigtrap = true,
					    .sig_data = SIG_DATA };
}

static void open_signalling(const struct peat_counters_opts *opts)
{
	catch_signals();
	open_with(opts);
	enable();
}

static uint64_t count(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value.value;
}

static void expect_signal(int number, uint32_t event, pid_t tid)
{
	ck_assert_int_lt(number, kept_count);
	ck_assert_int_eq(kept[number].err, 0);
	ck_assert_uint_eq(kept[number].data, SIG_DATA + event);
	ck_assert_ptr_eq((const void *)kept[number].address, (const void *)&watched[event]);
	ck_assert_int_eq(kept[number].tid, tid);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The handler has run before the next write. */
START_TEST(test_signal_of_each_write)
{
	const struct peat_counters_opts opts = signalling(both());

	need_signals();
	open_signalling(&opts);
	watched[0] = 7;
	ck_assert_int_eq(kept_count, 1);
	watched[1] = 5;
	ck_assert_int_eq(kept_count, 2);
	watched[0] = 9;
	ck_assert_int_eq(kept_count, 3);
	expect_signal(0, 0, getpid());
	expect_signal(1, 1, getpid());
	expect_signal(2, 0, getpid());
	ck_assert_uint_eq(kept[0].value, 7);
	ck_assert_uint_eq(kept[2].value, 9);
	ck_assert_uint_eq(count(0), 2);
	ck_assert_uint_eq(count(1), 1);
}
END_TEST

START_TEST(test_no_signal_of_reads_and_disabled_counters)
{
	const struct peat_counters_opts opts = signalling(both());

	need_signals();
	open_signalling(&opts);
	ck_assert_uint_eq(watched[0] + watched[1], 0);
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	watched[0] = 1;
	ck_assert_int_eq(kept_count, 0);
	enable();
	watched[0] = 2;
	ck_assert_int_eq(kept_count, 1);
}
END_TEST

static void *write_in_thread(void *tid)
{
	*(pid_t *)tid = (pid_t)syscall(SYS_gettid);
	watched[0] = 1;
	return NULL;
}

static pid_t write_in_other_thread(void)
{
	pthread_t thread;
	pid_t tid;

	ck_assert(!pthread_create(&thread, NULL, write_in_thread, &tid));
	ck_assert(!pthread_join(thread, NULL));
	ck_assert_int_ne(tid, getpid());
	return tid;
}

START_TEST(test_thread_that_wrote)
{
	const struct peat_counters_opts opts = signalling(both());
	pid_t tid;

	need_signals();
	open_signalling(&opts);
	tid = write_in_other_thread();
	watched[0] = 2;
	ck_assert_int_eq(kept_count, 2);
	expect_signal(0, 0, tid);
	expect_signal(1, 0, getpid());
	ck_assert_uint_eq(count(0), 2);
}
END_TEST

START_TEST(test_own_thread_alone)
{
	struct peat_counters_opts opts = signalling(both());

	need_signals();
	opts.inherit_thread = false;
	opts.self = true;
	open_signalling(&opts);
	write_in_other_thread();
	watched[0] = 2;
	ck_assert_int_eq(kept_count, 1);
	expect_signal(0, 0, getpid());
}
END_TEST

static pthread_barrier_t barrier;

static void *write_when_told(void *tid)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return write_in_thread(tid);
}

/* Threads that were there before the counters. */
START_TEST(test_threads_of_own_process)
{
	const uint32_t pid = (uint32_t)getpid();
	struct peat_counters_opts opts = signalling(both());
	pthread_t thread;
	pid_t tid;

	need_signals();
	opts.pids = &pid;
	opts.pid_count = 1;
	ck_assert(!pthread_barrier_init(&barrier, NULL, 2));
	ck_assert(!pthread_create(&thread, NULL, write_when_told, &tid));
	pthread_barrier_wait(&barrier);
	open_signalling(&opts);
	pthread_barrier_wait(&barrier);
	ck_assert(!pthread_join(thread, NULL));
	watched[1] = 1;
	ck_assert_int_eq(kept_count, 2);
	expect_signal(0, 0, tid);
	expect_signal(1, 1, getpid());
}
END_TEST

START_TEST(test_signal_after_a_period)
{
	struct peat_counters_opts opts = signalling(both());

	need_signals();
	opts.period = 3;
	open_signalling(&opts);
	for (uint32_t i = 1; i <= 7; i++)
		watched[0] = i;
	ck_assert_int_eq(kept_count, 2);
	ck_assert_uint_eq(kept[0].value, 3);
	ck_assert_uint_eq(kept[1].value, 6);
	ck_assert_uint_eq(count(0), 7);
}
END_TEST

START_TEST(test_signal_after_a_move)
{
	char events[64] = "";
	struct peat_counters_opts opts = signalling(events);

	need_signals();
	snprintf(events, sizeof(events), "mem:%p/4:w", (void *)&watched[1]);
	open_signalling(&opts);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 0, (uintptr_t)&watched[0]), 0);
	watched[1] = 1;
	ck_assert_int_eq(kept_count, 0);
	watched[0] = 1;
	ck_assert_int_eq(kept_count, 1);
	expect_signal(0, 0, getpid());
}
END_TEST

/* Other events of the list are counted, and number the breakpoints. */
START_TEST(test_breakpoint_among_others)
{
	char events[128] = "";
	struct peat_counters_opts opts = signalling(events);

	need_signals();
	snprintf(events, sizeof(events), "{" CALLS ",mem:%p/4:w}", (void *)&watched[1]);
	open_signalling(&opts);
	call_getpgid(5);
	ck_assert_int_eq(kept_count, 0);
	watched[1] = 1;
	ck_assert_int_eq(kept_count, 1);
	expect_signal(0, 1, getpid());
	ck_assert_uint_eq(count(1), 1);
}
END_TEST

/* The kernel writes the bytes; the signal arrives before the call returns to the program. */
START_TEST(test_system_call_that_writes)
{
	const struct peat_counters_opts opts = signalling(both());
	const uint32_t written = 42;
	int fds[2];

	need_signals();
	ck_assert(!pipe(fds));
	ck_assert_int_eq(write(fds[1], &written, sizeof(written)), sizeof(written));
	open_signalling(&opts);
	ck_assert_int_eq(read(fds[0], (void *)(uintptr_t)&watched[0], sizeof(written)),
			 sizeof(written));
	ck_assert_int_eq(kept_count, 1);
	expect_signal(0, 0, getpid());
	ck_assert_uint_eq(kept[0].value, written);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

/* A program that a child executes has no handler, and would end. */
START_TEST(test_program_without_handler)
{
	struct peat_counters_opts opts = signalling(both());
	int status;
	pid_t pid;

	need_signals();
	opts.inherit_thread = false;
	open_signalling(&opts);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		watched[0] = 1;
		execl("/bin/sh", "sh", "-c", "exit 3", NULL);
		_exit(127);
	}
	status = process__wait(pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	ck_assert_int_eq(kept_count, 0);
	ck_assert_uint_eq(count(0), 1);
}
END_TEST

START_TEST(test_signal_of_another_origin)
{
	const struct peat_counters_opts opts = signalling(both());

	need_signals();
	open_signalling(&opts);
	ck_assert(!raise(SIGTRAP));
	ck_assert_int_eq(kept_count, 1);
	ck_assert_int_eq(kept[0].err, -ENOENT);
}
END_TEST

static Suite *breakpoint_signal_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("breakpoint_signal", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_signal_of_each_write);
	tcase_add_test(tests, test_no_signal_of_reads_and_disabled_counters);
	tcase_add_test(tests, test_thread_that_wrote);
	tcase_add_test(tests, test_own_thread_alone);
	tcase_add_test(tests, test_threads_of_own_process);
	tcase_add_test(tests, test_signal_after_a_period);
	tcase_add_test(tests, test_signal_after_a_move);
	tcase_add_test(tests, test_breakpoint_among_others);
	tcase_add_test(tests, test_system_call_that_writes);
	tcase_add_test(tests, test_program_without_handler);
	tcase_add_test(tests, test_signal_of_another_origin);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { breakpoint_signal_suite };

	return harness__main(argc, argv, suites, 1);
}
