// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_random.c: random expressions over events with fields of all kinds, and over those of all
 * probes: the library and the slow evaluator of the tests agree, and so do the terms of programs.
 */
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

#include <peat/where.h>
#include <peat/wire.h>

#include "probes/probe.h"
#include "schema/event_types.h"
#include "support/where/run_terms.h"
#include "support/where/where_random.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

#define EXPRESSIONS	  12000
#define PROBE_EXPRESSIONS 200
#define EVENTS		  12

#define TYPE 1u

/* An event behind its head, as it lies in a slot. */
struct staged {
	struct peat_event_head head;
	struct peat_event_ids ids;
	uint64_t data[4096];
};

static uint64_t decided, left_open; /* events, by terms that are a whole expression */

static void fill_head(struct staged *staged, const struct peat_event *event)
{
	staged->head.size = (unsigned short)event->size;
	staged->head.delta_ns = event->cpu * PEAT_SLOTS + 1 + event->cpu % PEAT_SLOTS;
	staged->ids.tgid = event->pid;
	staged->ids.tid = event->tid;
}

/*
 * A program with these terms passes whatever matches.  If they are the whole expression, events
 * that match pass, all others are rejected, and few are left open.  A program has an event's ids
 * and CPU.
 */
static void check_terms(const struct where_terms *terms, enum where_part part,
			struct peat_event *event, bool matches, const char *text)
{
	uint32_t result = run_terms(terms, TYPE, (void *)event->data, event->size, event->comm);

	ck_assert_msg(result != PEAT_TERM_FAIL || !matches, "stricter: %s", text);
	if (part != WHERE_ALL || event->pid == PEAT_NO_TASK || event->tid == PEAT_NO_TASK ||
	    event->cpu == PEAT_NO_CPU)
		return;
	ck_assert_msg(result != PEAT_TERM_PASS || matches, "weaker: %s", text);
	decided += result != PEAT_TERM_OPEN;
	left_open += result == PEAT_TERM_OPEN;
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

/* Returns how many events match. */
static int check_expressions(const struct peat_schema *schema, bool for_programs, uint64_t seed,
			     int expressions)
{
	struct where_random *random = where_random__new(schema, seed);
	int matches = 0;

	if (for_programs)
		where_random__for_programs(random);
	for (int i = 0; i < expressions; i++) {
		const char *text = where_random__next(random);
		struct peat_where *where = peat_where__parse(text);

		ck_assert_msg(where != NULL, "%s: %s", text, where_schema__error());
		ck_assert_msg(peat_where__add_type(where, schema) == 1, "%s: %s", text,
			      where_schema__error());
		matches += check_events(random, where, text, schema);
		peat_where__free(where);
	}
	where_random__free(random);
	return matches;
}

static void check_kinds(bool for_programs, uint64_t seed)
{
	struct peat_schema *schema = where_schema__kinds();
	int matches;

	where_schema__catch();
	matches = check_expressions(schema, for_programs, seed, EXPRESSIONS);
	ck_assert_int_gt(matches, EXPRESSIONS * EVENTS / 5);
	ck_assert_int_lt(matches, EXPRESSIONS * EVENTS * 4 / 5);
	peat_schema__free(schema);
}

START_TEST(test_all_kinds)
{
	check_kinds(false, 1);
}
END_TEST

START_TEST(test_tests_of_programs)
{
	check_kinds(true, 2);
}
END_TEST

/* ---- the probes ------------------------------------------------------------------------------ */

static void check_probe(const struct probe *probe)
{
	struct btf *btf = where_schema__btf(probe->object, probe->object_bytes);
	int matches = 0, types = 0;
	uint32_t id;

	for (uint32_t i = 0; event_types__at(btf, i, &id) > 0; i++) {
		struct peat_schema *schema;

		if (!event_types__is_first(btf, i))
			continue;
		schema = peat_schema__new(btf, id);
		ck_assert_ptr_nonnull(schema);
		matches += check_expressions(schema, true, i + 3, PROBE_EXPRESSIONS);
		peat_schema__free(schema);
		types++;
	}
	ck_assert_msg(matches > types * PROBE_EXPRESSIONS * EVENTS / 5, "%s: %d match", probe->name,
		      matches);
	btf__free(btf);
}

/* Events of all probes, of the sizes that they send, too: few are left to the reader. */
START_TEST(test_events_of_all_probes)
{
	const struct probe *probe;

	where_schema__catch();
	decided = left_open = 0;
	for (size_t i = 0; (probe = probe__at(i)); i++)
		check_probe(probe);
	ck_assert_uint_gt(decided, 10 * left_open);
}
END_TEST

SUITE(120)
{
	tcase_add_test(tests, test_all_kinds);
	tcase_add_test(tests, test_tests_of_programs);
	tcase_add_test(tests, test_events_of_all_probes);
}
