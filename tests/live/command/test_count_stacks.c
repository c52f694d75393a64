// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_count_stacks.c: events counted by their stacks, live and recorded. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "support/recording/json_lines.h"

#define PEAT command__peat()

/* Read in each round, so that the compiler keeps one call of each function. */
static volatile int calls, often = 7, rarely = 3;

/* open() of the C library uses the frame pointer for other things, and syscall() has no frame: the
 * first function that a stack has for certain is the caller of this one. */
__attribute__((noinline, noipa)) static void fail_to_open(void)
{
	syscall(SYS_openat, AT_FDCWD, "/etc/nosuch-for-stacks", O_RDONLY);
	calls++;
}

__attribute__((noinline, noipa)) static void open_often(void)
{
	for (int i = 0; i < often; i++)
		fail_to_open();
	calls++;
}

__attribute__((noinline, noipa)) static void open_rarely(void)
{
	for (int i = 0; i < rarely; i++)
		fail_to_open();
	calls++;
}

static void open_files(void)
{
	open_often();
	open_rarely();
	calls++;
}

static const char *own_pid(void)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", (int)getpid());
	return text;
}

/* Opens the files while peat runs; its output is checked by the caller. */
static void run(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
	open_files();
	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "status %d: %s", peat->status, peat->err_text);
	ck_assert_msg(strstr(peat->err_text, " 0 lost"), "%s", peat->err_text);
}

static bool has_function(const char *table, unsigned row, const char *function)
{
	char path[64];

	for (unsigned frame = 0;; frame++) {
		snprintf(path, sizeof(path), "rows[%u].stack[%u]", row, frame);
		if (!json_event__has(table, path))
			return false;
		strcat(path, ".symbol");
		if (json_event__has(table, path) &&
		    !strcmp(json_event__text(table, path), function))
			return true;
	}
}

/* One row has the function in its stack: its count. */
static unsigned long long count_of(const char *table, const char *function)
{
	unsigned long long count = 0;
	unsigned found = 0;

	for (unsigned row = 0; row < json_table__rows(table); row++)
		if (has_function(table, row, function)) {
			count = json_table__number(table, (int)row, "count");
			found++;
		}
	ck_assert_msg(found == 1, "%s is in %u rows of %.500s", function, found, table);
	return count;
}

static void check_table(char *output)
{
	struct json_lines tables = json_lines__split(output);

	ck_assert_uint_eq(tables.count, 1);
	ck_assert_uint_eq(count_of(tables.lines[0], "open_often"), 7);
	ck_assert_uint_eq(count_of(tables.lines[0], "open_rarely"), 3);
	ck_assert_uint_eq(json_table__total(tables.lines[0]), 10);
	json_lines__free(&tables);
}

#define NOSUCH "path == \"/etc/nosuch-for-stacks\""

/* --by stack switches the stacks on. */
START_TEST(test_counts_by_live_stacks)
{
	struct command peat;

	run(&peat, ARGV(PEAT, "count", "open", "--by", "comm, stack", "-v", "-j", "--where", NOSUCH,
			"-p", own_pid()));
	check_table(peat.out_text);
	command__free(&peat);
}
END_TEST

/* The frames are below their row; the kernel's part is left out on request. */
START_TEST(test_prints_frames_below_rows)
{
	struct command peat;
	const char *seven, *three;

	run(&peat, ARGV(PEAT, "count", "open", "--by", "stack", "--stacks", "user", "-v", "--where",
			NOSUCH, "-p", own_pid()));
	seven = strstr(peat.out_text, "      7\n        ");
	three = strstr(peat.out_text, "      3\n        ");
	ck_assert_msg(seven && three && seven < three, "%.500s", peat.out_text);
	ck_assert_ptr_nonnull(strstr(seven, "        open_often+0x"));
	ck_assert_ptr_nonnull(strstr(three, "        open_rarely+0x"));
	ck_assert_msg(!strstr(peat.out_text, "[kernel]"), "%.500s", peat.out_text);
	command__free(&peat);
}
END_TEST

START_TEST(test_counts_by_recorded_stacks)
{
	char path[256];
	struct command peat;

	snprintf(path, sizeof(path), "%s", scratch__path("open.data"));
	run(&peat, ARGV(PEAT, "record", "open", "--stacks", "both", "-v", "-o", path, "--where",
			NOSUCH, "-p", own_pid()));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", path, "--by", "stack", "-j"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	check_table(peat.out_text);
	command__free(&peat);
	unlink(path);
	run(&peat, ARGV(PEAT, "record", "open", "-v", "-o", path, "-p", own_pid()));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", path, "--by", "stack"));
	ck_assert_ptr_nonnull(strstr(peat.err_text, "no event of the recording has a stack: record "
						    "it with peat record --stacks both"));
	command__free(&peat);
}
END_TEST

static void check_refused(const char *const *argv, const char *message)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_eq(peat.status, 64);
	ck_assert_msg(strstr(peat.err_text, message), "%s", peat.err_text);
	command__free(&peat);
}

START_TEST(test_refusals_name_remedy)
{
	check_refused(ARGV(PEAT, "count", "sched", "--by", "comm,stack"),
		      "--by stack: the events of sched have no stacks: probes with stacks: bio,");
	check_refused(ARGV(PEAT, "count", "open", "--stacks", "both"), "add --by stack");
	check_refused(ARGV(PEAT, "top", "open", "--stacks", "none", "--by", "stack"),
		      "leave one of them out");
}
END_TEST

static Suite *count_stacks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("count_stacks", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_counts_by_live_stacks);
	tcase_add_test(tests, test_prints_frames_below_rows);
	tcase_add_test(tests, test_counts_by_recorded_stacks);
	tcase_add_test(tests, test_refusals_name_remedy);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { count_stacks_suite };

	return harness__main(argc, argv, suites, 1);
}
