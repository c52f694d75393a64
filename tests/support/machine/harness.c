// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* harness.c: runs suites, counts skips, closes with one line. */
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"
#include "object/kernel_atomics.h"
#include "object/map_memory.h"

#define SUITES_MAX 1024

/* Shared by the forked tests. */
static unsigned *skips;

/* libcheck does not tell how a suite is called. */
static const char *names[SUITES_MAX];
static size_t names_count;

/* START_TEST calls the function of a test test_x test_x_fn. */
static int bytes_of_name(const char *function)
{
	size_t bytes = strlen(function);

	return (int)(bytes > 3 && !strcmp(function + bytes - 3, "_fn") ? bytes - 3 : bytes);
}

void harness__skip(const char *test, const char *reason, ...)
{
	va_list args;

	__atomic_add_fetch(skips, 1, __ATOMIC_RELAXED);
	printf("skipped %.*s: ", bytes_of_name(test), test);
	va_start(args, reason);
	vprintf(reason, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/* The test's process ends here, and libcheck knows no better than that it passed. */
void harness__need_new_atomics(void)
{
	if (!kernel_atomics__are_missing())
		return;
	harness__skip(tcase_name() ?: "a test", /* a fixture is not told which */
		      "no atomic operations that return a value (Linux 5.12)");
	exit(EXIT_SUCCESS);
}

Suite *harness__suite(const char *name, double seconds, TCase **tests)
{
	Suite *suite = suite_create(name);

	ck_assert_uint_lt(names_count, SUITES_MAX);
	names[names_count++] = name;
	*tests = tcase_create(name);
	tcase_set_timeout(*tests, seconds);
	suite_add_tcase(suite, *tests);
	return suite;
}

static void print_failures(SRunner *runner)
{
	TestResult **failures = srunner_failures(runner);

	for (int i = 0; i < srunner_ntests_failed(runner); i++)
		printf("FAILED %s/%s: %s:%d: %s\n", tr_tcname(failures[i]),
		       tr_rtype(failures[i]) == CK_ERROR ? "(error)" : "test",
		       tr_lfile(failures[i]) ? tr_lfile(failures[i]) : "?", tr_lno(failures[i]),
		       tr_msg(failures[i]));
	free(failures);
}

static int print_names(size_t count)
{
	if (names_count != count)
		return EXIT_FAILURE; /* one was not made by harness__suite() */
	for (size_t i = 0; i < count; i++)
		printf("%s\n", names[i]);
	return EXIT_SUCCESS;
}

static int run_suites(SRunner *runner, const char *only)
{
	int run, failed;

	srunner_run(runner, only, NULL, CK_SILENT);
	print_failures(runner);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	printf("%u passed, %d failed, %u skipped\n", (unsigned)(run - failed) - *skips, failed,
	       *skips);
	return failed || !run ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* nohup and shells ignore some for what they start, and ignored signals are inherited. */
static void reset_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTSTP };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_DFL);
}

/* Before Linux 5.11, commands without CAP_SYS_RESOURCE could load little. */
static void raise_map_memory(void)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (map_memory__is_limited())
		setrlimit(RLIMIT_MEMLOCK, &unlimited);
}

SRunner *harness__runner(void)
{
	reset_signals();
	raise_map_memory();
	skips = mmap(NULL, sizeof(*skips), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (skips == MAP_FAILED) {
		perror("mmap");
		exit(EXIT_FAILURE);
	}
	return srunner_create(NULL);
}

/*
 * Keeps memory that a test frees for its next allocations.  Many tests copy an object thousands of
 * times, and a page fault is slow in a virtual machine whose host provides pages late.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int harness__run(SRunner *runner, const char *only)
{
	int status;

	keep_memory();
	status = run_suites(runner, only);
	srunner_free(runner);
	return status;
}

int harness__main(int argc, char **argv, const suite_fn *suites, size_t count)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	SRunner *runner = harness__runner();

	for (size_t i = 0; i < count; i++)
		srunner_add_suite(runner, suites[i]());
	if (!only || strcmp(only, "--list"))
		return harness__run(runner, only);
	srunner_free(runner);
	return print_names(count);
}

/*
 * Tests search long texts piece by piece; ASan would look at all the rest each time.  And it would
 * keep 256 MB that were freed, in pages that each process has to fault in.  Its runtime is a
 * library, which only finds what is not hidden.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "replace_str=0:intercept_strstr=0:intercept_strchr=0:intercept_strspn=0:"
	       "intercept_strlen=0:intercept_strtok=0:intercept_strndup=0:"
	       "quarantine_size_mb=32";
}
