/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * harness.h: libcheck, with skips that are counted and a closing line that is the same everywhere.
 *
 * Skip only what this kernel, this machine or these privileges lack, and print the reason:
 *
 *	if (!kernel_has_it())
 *		skip("no PERF_FORMAT_LOST in this kernel");
 */
#ifndef TESTS_SUPPORT_MACHINE_HARNESS_H
#define TESTS_SUPPORT_MACHINE_HARNESS_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Like the macro of check.h, but assertions that hold are not reported: each report is a write(2),
 * and some tests check a million events.
 */
#undef ck_assert_msg
#define ck_assert_msg(expression, ...)                                                             \
	((expression) ? (void)0                                                                    \
		      : _ck_assert_failed(__FILE__, __LINE__,                                      \
					  "Assertion '" #expression "' failed", ##__VA_ARGS__))

typedef Suite *(*suite_fn)(void);

/* Ends the running test, as skipped. */
#define skip(...)                                                                                  \
	do {                                                                                       \
		harness__skip(__func__, __VA_ARGS__);                                              \
		return;                                                                            \
	} while (0)

__attribute__((format(printf, 2, 3))) void harness__skip(const char *test, const char *reason, ...);

/*
 * For tests of what plain locks lack (object/plain_locks.h): on a kernel that needs them, ends the
 * running test as skipped.
 */
void harness__need_new_atomics(void);

/* A suite with one test case, whose tests may take `seconds` each. */
Suite *harness__suite(const char *name, double seconds, TCase **tests);

/*
 * Runs the suites (argv[1]: only the one of this name; or --list, which prints all names), each
 * test in a process of its own, prints what failed and "N passed, N failed, N skipped".  The
 * program's exit status.
 */
int harness__main(int argc, char **argv, const suite_fn *suites, size_t count);

/* The same in two steps, for programs that collect their suites: a runner; run it, and free it. */
SRunner *harness__runner(void);
int harness__run(SRunner *runner, const char *only);

#endif /* TESTS_SUPPORT_MACHINE_HARNESS_H */
