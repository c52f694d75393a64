/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fail_alloc.h: fails one allocation of the library, and counts those that are not freed.
 *
 *	for (unsigned nth = 1; nth; nth++) {
 *		fail_alloc__begin(nth);
 *		err = ...;
 *		if (!fail_alloc__end())
 *			break;
 *		ck_assert_int_eq(err, -ENOMEM);
 *	}
 *
 * Programs with a sanitizer have their own malloc(): nothing fails and nothing is counted there.
 */
#ifndef TESTS_UNIT_FAIL_ALLOC_H
#define TESTS_UNIT_FAIL_ALLOC_H

#include <stdbool.h>

/* The nth call of malloc(), calloc() or realloc() from now on fails; 1 is the next. */
void fail_alloc__begin(unsigned nth);

/* Allocations succeed again.  True: one failed. */
bool fail_alloc__end(void);

/* Blocks of memory that are allocated and not freed: to be compared before and after. */
long fail_alloc__blocks(void);

#endif /* TESTS_UNIT_FAIL_ALLOC_H */
