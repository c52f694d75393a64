// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_random.c: random expressions over events with fields of all kinds: the library and the slow
 * evaluator of the tests agree, and the terms of programs are never stricter.
 */
#include <stdio.h>
#include <string.h>

#include <peat/where.h>
#include <peat/wire.h>

#include "support/where/run_terms.h"
#include "support/where/where_random.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

#define EXPRESSIONS 12000
#define EVENTS	    12

#define TYPE 1u

/* An event behind its head, as it lies in a slot. */
struct staged {
	struct peat_event_head head;
	struct peat_event_ids ids;
	uint64_t data[128];
};

static void fill_head(struct staged *staged, const struct peat_event *event)
{
	staged->head.size = (unsigned short)event->size;
	staged->head.delta_ns = event->cpu * PEAT_SLOTS + 1 + event->cpu % PEAT_SLOTS;
	staged->ids.tgid = event->pid;
	staged->ids.tid = event->tid;
}

/* A program with these terms passes whatever matches; if they are the whole expression, no more. */
static void check_terms(const struct where_terms *terms, enum where_part part,
			const struct peat_event *event, bool matches, const char *text)
{
	bool passes = run_terms(terms, TYPE, event->data, event->size, event->comm);

	ck_assert_msg(passes || !matches, "stricter: %s", text);
	if (part == WHERE_ALL && terms->type_count && event->size >= terms->types[0].bytes &&
	    event->pid != PEAT_NO_TASK && event->tid != PEAT_NO_TASK && event->cpu != PEAT_NO_CPU)
		ck_assert_msg(passes == matches, "weaker: %s", text);
}

/* Returns how many of the events match. */
static int check_events(struct where_random *random, struct peat_where *where, const char *text,
			const struct peat_schema *schema)
{
	static struct staged staged;
	struct peat_event event = { .schema = schema, .data = staged.data };
	struct where_terms terms;
	enum where_part part;
	int count = 0;

	where_terms__init(&terms, true, true);
	part = where_terms__add(&terms, TYPE, where__resolved(where, schema));
	ck_assert_uint_le(peat_schema__bytes(schema) + 8, sizeof(staged.data));
	for (int i = 0; i < EVENTS; i++) {
		bool matches;

		event.size = where_random__event(random, staged.data);
		where_random__common(random, &event);
		fill_head(&staged, &event);
		matches = where_random__matches(random, &event);
		ck_assert_msg(peat_where__test(where, &event) == matches,
			      "event %d of %u bytes: %d expected: %s", i, event.size, matches,
			      text);
		if (event.comm)
			check_terms(&terms, part, &event, matches, text);
		count += matches;
	}
	return count;
}

static void check_expressions(bool for_programs, uint64_t seed)
{
	struct peat_schema *schema = where_schema__kinds();
	struct where_random *random = where_random__new(schema, seed);
	int matches = 0;

	if (for_programs)
		where_random__for_programs(random);
	for (int i = 0; i < EXPRESSIONS; i++) {
		const char *text = where_random__next(random);
		struct peat_where *where = peat_where__parse(text);

		ck_assert_msg(where != NULL, "%s: %s", text, where_schema__error());
		ck_assert_msg(peat_where__add_type(where, schema) == 1, "%s: %s", text,
			      where_schema__error());
		matches += check_events(random, where, text, schema);
		peat_where__free(where);
	}
	ck_assert_int_gt(matches, EXPRESSIONS * EVENTS / 5);
	ck_assert_int_lt(matches, EXPRESSIONS * EVENTS * 4 / 5);
	where_random__free(random);
	peat_schema__free(schema);
}

START_TEST(test_all_kinds)
{
	where_schema__catch();
	check_expressions(false, 1);
}
END_TEST

START_TEST(test_tests_of_programs)
{
	where_schema__catch();
	check_expressions(true, 2);
}
END_TEST

SUITE(120)
{
	tcase_add_test(tests, test_all_kinds);
	tcase_add_test(tests, test_tests_of_programs);
}
