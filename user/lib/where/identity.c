// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/identity.c: decides expressions by the identity of a task alone. */
#include <peat/identity.h>
#include <peat/reader.h>

#include "where/evaluate.h"
#include "where/identity.h"

enum truth { NEVER, UNKNOWN, ALWAYS };

/* The parts of the identity are the only texts among the numbers of samples and owners. */
static bool is_of_identity(const struct where_test *test)
{
	return test->operand == WHERE_SAMPLED && test->class == PEAT_CLASS_TEXT;
}

static enum truth decide_test(const struct where_test *test, const struct peat_event *event)
{
	static const struct where_needs none;
	bool is_known = test->op == WHERE_FALSE || test->op == WHERE_TRUE || is_of_identity(test);

	if (!is_known)
		return UNKNOWN;
	return where_evaluate(test, &none, event) ? ALWAYS : NEVER;
}

static enum truth decide(const struct where_test *test, const struct peat_event *event)
{
	enum truth a, b;

	if (test->op == WHERE_NOT)
		return ALWAYS - decide(test->a, event);
	if (test->op != WHERE_AND && test->op != WHERE_OR)
		return decide_test(test, event);
	a = decide(test->a, event);
	b = decide(test->b, event);
	return (a < b) == (test->op == WHERE_AND) ? a : b;
}

bool where_identity__excludes(const struct where_test *tree, const struct peat_identity *identity)
{
	const struct peat_event event = { .identity = identity };

	return decide(tree, &event) == NEVER;
}
