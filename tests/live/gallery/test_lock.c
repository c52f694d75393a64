// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_lock.c: the probe lock: threads that wait for the lock of one file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/load/file_lock.h"
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

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const struct file_lock_wait *wait_of(const struct file_lock_wait *waits, int64_t tid)
{
	for (size_t i = 0; i < FILE_LOCK_WAITS; i++)
		if (waits[i].tid == tid)
			return &waits[i];
	return NULL;
}

/* The waits for the file; they are writers' of a lock that sleeps. */
static size_t check_waits(const struct tracing *tracing, const struct file_lock_wait *waits)
{
	const struct file_lock_wait *wait;
	char *lock = NULL;
	const char *event;
	size_t found = 0, from = 0;

	while ((event = tracing__next(tracing, "lock", getpid(), &from))) {
		const char *caller = json_lines__text(event, "caller.symbol");

		ck_assert_int_ge(json_lines__number(event, "wait"), 1000000);
		wait = wait_of(waits, json_lines__number(event, "tid"));
		if (!wait || !caller || !strstr(caller, "file_write_iter"))
			continue;
		ck_assert_int_ge(json_lines__number(event, "wait"), FILE_LOCK_NS);
		ck_assert_int_le(json_lines__number(event, "wait"), wait->write_ns);
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
	struct file_lock_wait waits[FILE_LOCK_WAITS];
	struct tracing tracing;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	tracing__start(&tracing, TRACE("lock", "-p", own_pid()));
	file_lock__wait(waits);
	tracing__stop(&tracing);
	ck_assert_uint_eq(check_waits(&tracing, waits), FILE_LOCK_WAITS);
	tracing__free(&tracing);
}
END_TEST

/* Those who wait longer than any did. */
START_TEST(test_no_wait)
{
	struct file_lock_wait waits[FILE_LOCK_WAITS];
	struct tracing tracing;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	tracing__start(&tracing, TRACE("lock,min=1h"));
	file_lock__wait(waits);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

/* The sum of the waits, by caller, in the kernel. */
START_TEST(test_counted_by_caller)
{
	struct file_lock_wait waits[FILE_LOCK_WAITS];
	struct command peat;
	char *row;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 5.19)");
	command__start(&peat, ALL_CAPS,
		       ARGV(command__peat(), "count", "-v", "lock", "--by", "caller,flags", "--sum",
			    "wait", "-p", own_pid()));
	command__expect(peat.err, "attached");
	file_lock__wait(waits);
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
