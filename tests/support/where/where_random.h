/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where_random.h: random expressions over the fields of a schema, events that nearly match them,
 * and a slow evaluator that shares nothing with the library's: it keeps the tree that the text was
 * printed from.
 *
 *	struct where_random *random = where_random__new(schema, 1);
 *
 *	text = where_random__next(random);
 *	event.size = where_random__event(random, memory, bytes);
 *	matches = where_random__matches(random, &event);
 *	where_random__free(random);
 */
#ifndef TESTS_SUPPORT_WHERE_RANDOM_H
#define TESTS_SUPPORT_WHERE_RANDOM_H

#include <peat/reader.h>

struct where_random;

/* The same seed makes the same expressions and events.  Fails the running test without memory. */
struct where_random *where_random__new(const struct peat_schema *schema, uint64_t seed);

/* Leaves out tests that programs of the kernel do not do: patterns, floats, the task's name. */
void where_random__for_programs(struct where_random *random);

/* The text of another expression, valid until the next call. */
const char *where_random__next(struct where_random *random);

/*
 * The text of an expression that tests the fields `first`, `first` + `step` and so on, valid until
 * the next call.  It matches some of the copied events and not all, if possible.  Fails the
 * running test if there are not so many fields.
 */
const char *where_random__of_fields(struct where_random *random, int first, int step);

/* Copies an event: from now on, expressions often have values of copied events. */
void where_random__learn(struct where_random *random, const struct peat_event *event);

/*
 * Fills `data` (the schema's bytes and 8 more) with an event whose fields often have values of the
 * expression.  Returns its size: mostly the schema's.
 */
uint32_t where_random__event(struct where_random *random, void *data);

/* Sets what all events have: pid, tid, cpu, time and comm. */
void where_random__common(struct where_random *random, struct peat_event *event);

bool where_random__matches(const struct where_random *random, const struct peat_event *event);

void where_random__free(struct where_random *random);

#endif /* TESTS_SUPPORT_WHERE_RANDOM_H */
