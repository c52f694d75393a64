// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_leak.c: the probe leak: memory of a process that is not freed, by stack. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/tracing.h"

#define LEAKS 7
#define BYTES 1000

/* ---- the traced process ---------------------------------------------------------------------- */

/* Each keeps its memory in a variable that the compiler cannot remove. */
static void *volatile kept;

#define FUNCTION __attribute__((noinline, noipa, used))

FUNCTION static void leak_by_malloc(void)
{
	for (int i = 0; i < LEAKS; i++)
		kept = malloc(BYTES);
}

FUNCTION static void leak_by_calloc(void)
{
	kept = calloc(3, BYTES);
}

FUNCTION static void leak_by_realloc(void)
{
	kept = realloc(kept, 5 * BYTES);
}

FUNCTION static void leak_by_posix_memalign(void)
{
	void *memory = NULL;

	if (!posix_memalign(&memory, 64, 2 * BYTES))
		kept = memory;
}

FUNCTION static void leak_by_aligned_alloc(void)
{
	kept = aligned_alloc(64, 64 * BYTES);
}

FUNCTION static void free_everything(void)
{
	for (int i = 0; i < LEAKS; i++) {
		kept = malloc(BYTES);
		free(kept);
		kept = calloc(1, BYTES);
		kept = realloc(kept, 3 * BYTES);
		free(kept);
	}
	free(NULL);
	kept = NULL;
}

static int to_child[2], from_child[2];

/* Waits until peat is attached, allocates, and waits for the end. */
static int allocate(void *unused)
{
	char byte;

	(void)unused;
	if (read(to_child[0], &byte, 1) != 1)
		return 1;
	free_everything();
	leak_by_malloc();
	leak_by_calloc(); /* its memory is given back by the next one */
	leak_by_realloc();
	leak_by_posix_memalign();
	leak_by_aligned_alloc();
	return write(from_child[1], "", 1) != 1 || read(to_child[0], &byte, 1) != 1;
}

static pid_t child;
static char child_pid[16];

#ifdef __SANITIZE_ADDRESS__
#define NEED_MALLOC_OF_LIBC() skip("the sanitizer has a malloc() of its own")
#else
#define NEED_MALLOC_OF_LIBC() (void)0
#endif

static void start_child(int (*function)(void *))
{
	ck_assert_int_eq(pipe(to_child) | pipe(from_child), 0);
	child = process__start(function, NULL);
	snprintf(child_pid, sizeof(child_pid), "%d", (int)child);
}

static void let_child_allocate(void)
{
	char byte;

	ck_assert_int_eq(write(to_child[1], "", 1), 1);
	ck_assert_int_eq(read(from_child[0], &byte, 1), 1);
}

static void end_child(void)
{
	ck_assert_int_eq(write(to_child[1], "", 1), 1);
	ck_assert_int_eq(process__wait(child), 0);
}

/* ---- tables ---------------------------------------------------------------------------------- */

#define COUNT(...) ARGV(command__peat(), "count", "-v", "-j", __VA_ARGS__)

/* The table at the end of the run. */
static void count(struct tracing *peat, const char *const *argv)
{
	start_child(allocate);
	for (size_t i = 0; argv[i]; i++)
		if (!strcmp(argv[i], "PID"))
			((const char **)argv)[i] = child_pid;
	tracing__start(peat, argv);
	let_child_allocate();
	tracing__stop(peat);
	end_child();
}

static const char *last_table(const struct tracing *peat)
{
	ck_assert_uint_ge(peat->events.count, 1);
	return peat->events.lines[peat->events.count - 1];
}

/* The row whose stack begins in this function; -1: none. */
static int find_row(const char *table, const char *function)
{
	char path[64];

	for (unsigned row = 0; row < json_table__rows(table); row++) {
		snprintf(path, sizeof(path), "rows[%u].stack[0].symbol", row);
		if (json_lines__kind(table, path) == JSON_STRING &&
		    !strcmp(json_lines__text(table, path), function))
			return (int)row;
	}
	return -1;
}

static void expect_row(const struct tracing *peat, const char *function, unsigned bytes,
		       unsigned old, unsigned allocations)
{
	const char *table = last_table(peat);
	int row = find_row(table, function);

	ck_assert_msg(row >= 0, "no %s in %s", function, table);
	ck_assert_uint_eq(json_table__number(table, row, "pid"), (unsigned)child);
	ck_assert_uint_eq(json_table__number(table, row, "bytes"), bytes);
	ck_assert_uint_eq(json_table__number(table, row, "old"), old);
	ck_assert_uint_eq(json_table__number(table, row, "allocations"), allocations);
}

static void expect_no_row(const struct tracing *peat, const char *function)
{
	ck_assert_msg(find_row(last_table(peat), function) < 0, "%s in %s", function,
		      last_table(peat));
}

START_TEST(test_leaks_by_stack)
{
	struct tracing peat;

	NEED_MALLOC_OF_LIBC();
	count(&peat, COUNT("leak,age=1h", "-p", "PID"));
	expect_row(&peat, "leak_by_malloc", LEAKS * BYTES, 0, LEAKS);
	expect_row(&peat, "leak_by_realloc", 5 * BYTES, 0, 1);
	expect_row(&peat, "leak_by_posix_memalign", 2 * BYTES, 0, 1);
	expect_row(&peat, "leak_by_aligned_alloc", 64 * BYTES, 0, 1);
	expect_no_row(&peat, "leak_by_calloc");
	expect_no_row(&peat, "free_everything");
	tracing__free(&peat);
}
END_TEST

START_TEST(test_old_at_once)
{
	struct tracing peat;

	NEED_MALLOC_OF_LIBC();
	count(&peat, COUNT("leak,age=0", "-p", "PID"));
	expect_row(&peat, "leak_by_malloc", LEAKS * BYTES, LEAKS * BYTES, LEAKS);
	expect_row(&peat, "leak_by_realloc", 5 * BYTES, 5 * BYTES, 1);
	expect_no_row(&peat, "leak_by_calloc");
	expect_no_row(&peat, "free_everything");
	tracing__free(&peat);
}
END_TEST

START_TEST(test_small_allocations_are_left_out)
{
	struct tracing peat;

	NEED_MALLOC_OF_LIBC();
	count(&peat, COUNT("leak,age=1h,min_bytes=2000", "-p", "PID"));
	expect_no_row(&peat, "leak_by_malloc");
	expect_row(&peat, "leak_by_posix_memalign", 2 * BYTES, 0, 1);
	tracing__free(&peat);
}
END_TEST

/* One of a billion. */
START_TEST(test_sample_leaves_out_most)
{
	struct tracing peat;

	NEED_MALLOC_OF_LIBC();
	count(&peat, COUNT("leak,sample=1000000000", "-p", "PID"));
	ck_assert_uint_eq(json_table__rows(last_table(&peat)), 0);
	tracing__free(&peat);
}
END_TEST

/* Without parsing: command__expect() has read a part of a long line. */
static void stop(struct tracing *peat)
{
	kill(peat->peat.pid, SIGINT);
	command__finish(&peat->peat);
	ck_assert_msg(peat->peat.status == 0, "%s", peat->peat.err_text);
	command__free(&peat->peat);
}

/* Rows are what is there now, in each interval, not the changes. */
START_TEST(test_intervals_show_what_is_there)
{
	struct tracing peat;

	NEED_MALLOC_OF_LIBC();
	start_child(allocate);
	tracing__start(&peat, COUNT("leak,age=1h", "-p", child_pid, "-i", "100ms"));
	let_child_allocate();
	for (int i = 0; i < 3; i++)
		command__expect(peat.peat.out, "leak_by_malloc");
	stop(&peat);
	end_child();
}
END_TEST

/* ---- many stacks ----------------------------------------------------------------------------- */

#define LEVELS	    10
#define MANY_STACKS (1 << LEVELS)

/* Compilers of s390x do not keep frame pointers: stacks have only their first frame. */
#ifdef __s390x__
#define ROWS_OF_1000_BYTES 0
#else
#define ROWS_OF_1000_BYTES MANY_STACKS
#endif

static volatile unsigned returned;

static void leak_on_path(unsigned path, unsigned level);

FUNCTION static void turn_left(unsigned path, unsigned level)
{
	leak_on_path(path >> 1, level + 1);
	returned++;
}

FUNCTION static void turn_right(unsigned path, unsigned level)
{
	leak_on_path(path >> 1, level + 1);
	returned += 2;
}

/* Each path has its own stack. */
FUNCTION static void leak_on_path(unsigned path, unsigned level)
{
	if (level == LEVELS)
		kept = malloc(BYTES);
	else
		(path & 1 ? turn_left : turn_right)(path, level);
	returned++;
}

static int allocate_on_paths(void *unused)
{
	char byte;

	(void)unused;
	if (read(to_child[0], &byte, 1) != 1)
		return 1;
	for (unsigned path = 0; path < MANY_STACKS; path++)
		leak_on_path(path, 0);
	return write(from_child[1], "", 1) != 1 || read(to_child[0], &byte, 1) != 1;
}

/* A map of 16384 stacks by their hash would have some 30 of them in the places of others. */
START_TEST(test_stacks_are_apart)
{
	struct tracing peat;
	size_t rows = 0;

	NEED_MALLOC_OF_LIBC();
	start_child(allocate_on_paths);
	tracing__start(&peat, COUNT("leak,age=1h", "-p", child_pid));
	let_child_allocate();
	tracing__stop(&peat);
	end_child();
	for (const char *at = last_table(&peat); (at = strstr(at, "\"bytes\":1000,")); at++)
		rows++;
	ck_assert_msg(rows == ROWS_OF_1000_BYTES, "%zu in %.2000s", rows, last_table(&peat));
	ck_assert_ptr_null(strstr(last_table(&peat), "EEXIST"));
	tracing__free(&peat);
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

/* The sampled program finds memory that gets old while its process does nothing. */
START_TEST(test_old_memory_is_an_event)
{
	struct tracing tracing;

	NEED_MALLOC_OF_LIBC();
	start_child(allocate);
	tracing__start(&tracing, TRACE("leak,age=200ms", "-p", child_pid, "--latency", "10ms"));
	let_child_allocate();
	command__expect(tracing.peat.out, "leak_by_malloc");
	stop(&tracing);
	end_child();
}
END_TEST

static int free_all(void *unused)
{
	char byte;

	(void)unused;
	if (read(to_child[0], &byte, 1) != 1)
		return 1;
	free_everything();
	return write(from_child[1], "", 1) != 1 || read(to_child[0], &byte, 1) != 1;
}

START_TEST(test_no_events)
{
	struct tracing tracing;

	NEED_MALLOC_OF_LIBC();
	start_child(free_all);
	tracing__start(&tracing, TRACE("leak,age=20s", "-p", child_pid));
	let_child_allocate();
	tracing__stop(&tracing);
	end_child();
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

/* ---- processes ------------------------------------------------------------------------------- */

static const char *own_path(void)
{
	static char path[4096];
	ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ck_assert_int_gt(bytes, 0);
	path[bytes] = '\0';
	return path;
}

/* The command is the process, after its exec. */
START_TEST(test_command_is_followed)
{
	struct command peat;

	NEED_MALLOC_OF_LIBC();
	command__run(&peat, ALL_CAPS, COUNT("leak,age=1h", "--", own_path(), "leak-and-exit"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_msg(strstr(peat.out_text, "\"bytes\":7000"), "%s", peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "leak_by_malloc"), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

START_TEST(test_no_process)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "count", "leak", "-d", "1"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "name the process by -p"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

static Suite *leak_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("leak", 60, &tests);

	tcase_add_test(tests, test_leaks_by_stack);
	tcase_add_test(tests, test_old_at_once);
	tcase_add_test(tests, test_small_allocations_are_left_out);
	tcase_add_test(tests, test_sample_leaves_out_most);
	tcase_add_test(tests, test_intervals_show_what_is_there);
	tcase_add_test(tests, test_stacks_are_apart);
	tcase_add_test(tests, test_old_memory_is_an_event);
	tcase_add_test(tests, test_no_events);
	tcase_add_test(tests, test_command_is_followed);
	tcase_add_test(tests, test_no_process);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { leak_suite };

	if (argc == 2 && !strcmp(argv[1], "leak-and-exit")) {
		leak_by_malloc();
		return 0;
	}
	return harness__main(argc, argv, suites, 1);
}
