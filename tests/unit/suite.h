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
 */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include "support/machine/harness.h"

struct unit_suite {
	const char *file; /* __FILE__ of the test */
	double seconds;	  /* time limit of each test */
	void (*add_tests)(TCase *tests);
	struct unit_suite *next;
	char name[64]; /* ROOM/FILE */
};

void unit__register(struct unit_suite *suite);

#define SUITE(seconds_)                                                                            \
	static void suite__tests(TCase *tests);                                                    \
	__attribute__((constructor)) static void register_suite(void)                              \
	{                                                                                          \
		static struct unit_suite suite = { __FILE__, seconds_, suite__tests, NULL, "" };   \
		unit__register(&suite);                                                            \
	}                                                                                          \
	static void suite__tests(TCase *tests)

#endif /* TESTS_UNIT_SUITE_H */
