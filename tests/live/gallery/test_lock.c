// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_lock.c: the probe lock: threads that wait for the lock of one file. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/tracing.h"

/* Linux 5.19. */
#define HOOK "lock/contention_begin"

static bool has_hook(void)
{
	mounts__need_tracefs();
	return !access("/sys/kernel/tracing/events/" HOOK "/id", F_OK);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- two writers ----------------------------------------------------------------------------- */

/*
 * A write holds the lock of the file until it ends.  Both threads have one CPU: whoever finds the
 * lock taken sleeps, since the other does not run.
 */
#define BLOCK_BYTES (32 << 20) /* takes longer than SLOW_NS */
#define SLOW_NS	    5000000
#define SLOW_WRITES 5

static int file;
static volatile bool ends;
static long long longest_ns;
static pid_t second_tid;

/* Without pwrite(), where a sanitizer would test all bytes before it calls the kernel. */
static void write_at_start(const void *bytes, long count)
{
	ck_assert_int_eq(syscall(SYS_pwrite64, file, bytes, count, 0L), count);
}

static void *write_blocks(void *block)
{
	process__pin();
	while (!ends)
		write_at_start(block, BLOCK_BYTES);
	return NULL;
}

/* Writes a byte at a time, until some of the writes had to wait. */
static void *write_bytes(void *unused)
{
	(void)unused;
	process__pin();
	second_tid = (pid_t)syscall(SYS_gettid);
	for (int slow = 0; slow < SLOW_WRITES;) {
		long long took = now_ns();

		write_at_start("x", 1);
		took = now_ns() - took;
		slow += took >= SLOW_NS;
		if (took > longest_ns)
			longest_ns = took;
		sched_yield();
	}
	ends = true;
	return NULL;
}

static void fight(void)
{
	char path[] = "/dev/shm/peat-lock.XXXXXX";
	char *block = calloc(1, BLOCK_BYTES);
	pthread_t first, second;

	file = mkstemp(path);
	ck_assert_int_ge(file, 0);
	unlink(path);
	ck_assert_ptr_nonnull(block);
	ck_assert_int_eq(pthread_create(&first, NULL, write_blocks, block), 0);
	ck_assert_int_eq(pthread_create(&second, NULL, write_bytes, NULL), 0);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	free(block);
	close(file);
}

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The waits of the second thread for the file; they are writers' of a lock that sleeps. */
static size_t check_waits(const struct tracing *tracing)
{
	char *lock = NULL;
	const char *event;
	size_t found = 0, from = 0;

	while ((event = tracing__next(tracing, "lock", getpid(), &from))) {
		const char *caller = json_lines__text(event, "caller.symbol");

		ck_assert_int_ge(json_lines__number(event, "wait"), 1000000);
		if (json_lines__number(event, "tid") != second_tid || !caller ||
		    !strstr(caller, "file_write_iter"))
			continue;
		ck_assert_int_le(json_lines__number(event, "wait"), longest_ns);
		expect_text(event, "flags", "write");
		expect_number(event, "error", 0);
		if (lock)
			expect_text(event, "lock.address", lock);
		else
			lock = strdup(json_lines__text(event, "lock.address"));
		found++;
	}
	free(lock);
	return found;
}

START_TEST(test_lock_of_a_file)
{
	struct tracing tracing;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	tracing__start(&tracing, TRACE("lock", "-p", own_pid()));
	fight();
	tracing__stop(&tracing);
	ck_assert_uint_ge(check_waits(&tracing), 1);
	tracing__free(&tracing);
}
END_TEST

/* Those who wait longer than any did. */
START_TEST(test_no_wait)
{
	struct tracing tracing;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	tracing__start(&tracing, TRACE("lock,min=1h"));
	fight();
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

/* The sum of the waits, by caller, in the kernel. */
START_TEST(test_counted_by_caller)
{
	struct command peat;
	char *row;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	command__start(&peat, ALL_CAPS,
		       ARGV(command__peat(), "count", "-v", "lock", "--by", "caller,flags", "--sum",
			    "wait", "-p", own_pid()));
	command__expect(peat.err, "attached");
	fight();
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	row = strstr(peat.out_text, "file_write_iter");
	ck_assert_msg(row && strstr(row, " write "), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

START_TEST(test_kernel_without_it)
{
	struct command peat;

	if (has_hook())
		skip("this kernel has the tracepoint " HOOK);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "lock", "-d", "1"));
	ck_assert_int_ne(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "this kernel has no such tracepoint"), "%s",
		      peat.err_text);
	command__free(&peat);
}
END_TEST

static Suite *lock_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("lock", 60, &tests);

	tcase_add_test(tests, test_lock_of_a_file);
	tcase_add_test(tests, test_no_wait);
	tcase_add_test(tests, test_counted_by_caller);
	tcase_add_test(tests, test_kernel_without_it);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { lock_suite };

	return harness__main(argc, argv, suites, 1);
}
