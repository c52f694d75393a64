/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * suite.h: the tests of one file, registered where they are written.
 *
 *	SUITE(10)
 *	{
 *		tcase_add_test(tests, test_one);
 *	}
 *
 * at the end of tests/unit/base/test_escape.c makes the suite base/escape, whose tests may take
 * 10 seconds each.  A file has one suite; nothing else lists it.
 *
 * Each test runs in a process of its own.  With AddressSanitizer a fork and the search for leaks at
 * the end take 20 to 100 times as long as most tests, so those of a suite run in one process there.
 * FORKED_SUITE(10) is for tests that change the process, end it, or count on static variables that
 * nobody has changed: they always have a process each.
 */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include "support/machine/harness.h"

struct unit_suite {
	const char *file; /* __FILE__ of the test */
	double seconds;	  /* time limit of each test */
	bool is_forked;
	void (*add_tests)(TCase *tests);
	struct unit_suite *next;
	char name[64]; /* ROOM/FILE */
};

void unit__register(struct unit_suite *suite);

#define SUITE(seconds)	      SUITE_OF(seconds, false)
#define FORKED_SUITE(seconds) SUITE_OF(seconds, true)

#define SUITE_OF(seconds_, is_forked_)                                                             \
	static void suite__tests(TCase *tests);                                                    \
	__attribute__((constructor)) static void register_suite(void)                              \
	{                                                                                          \
		static struct unit_suite suite = { __FILE__,	 seconds_, is_forked_,             \
						   suite__tests, NULL,	   "" };                   \
		unit__register(&suite);                                                            \
	}                                                                                          \
	static void suite__tests(TCase *tests)

#endif /* TESTS_UNIT_SUITE_H */
