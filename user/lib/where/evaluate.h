/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where/evaluate.h: tests an event.
 *
 * An event that lacks a field does not match, so the presence of all fields is checked first: most
 * of them by the event's size alone, those with PEAT_PRESENT() by their number.
 */
#ifndef PEAT_WHERE_EVALUATE_H
#define PEAT_WHERE_EVALUATE_H

#include "where/tree.h"

/* Fields that need more than a size: all checked for each event. */
struct where_needs {
	uint32_t bytes; /* the least size of an event with all other fields */
	uint32_t count, room;
	const struct where_test **tests;
};

/*
 * The size of events that have room for the field of a test and for its presence, TRUE and FALSE
 * included; 0: the size does not decide it, or the test has no field.
 */
uint32_t where_needs__bytes(const struct where_test *test);

/* Collects what the tests of a tree need.  0 or -ENOMEM; free needs->tests in any case. */
int where_needs__init(struct where_needs *needs, const struct where_test *tree);

/* Whether the event has all fields, and matches. */
bool where_evaluate(const struct where_test *tree, const struct where_needs *needs,
		    const struct peat_event *event);

#endif /* PEAT_WHERE_EVALUATE_H */
