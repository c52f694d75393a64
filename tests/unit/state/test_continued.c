// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_continued.c: the next agent counts each event of a former one once. */
#include "state/state.h"
#include "unit/suite.h"

/*
 * Of 100 events, 10 were lost and 20 filtered by programs, 5 are not read yet.  This agent has read
 * 45: 3 of them it filtered itself, 2 are in no batch yet.  Agents before it have read 20.
 */
static const struct source_counts now = {
	.has_ledger = true,
	.has_events = true,
	.ledger = { .emitted = 100,
		    .lost_no_ring = 10,
		    .filtered = 20 + 3,
		    .staged = 2,
		    .in_ring = 3,
		    .read = 45,
		    .delivered = 42,
		    .former = 20 },
	.delivered = 42,
	.lost = 10,
	.offered = 39,
	.handed_over = 1,
};

/* The agents before it. */
static const struct source_counts ended = {
	.ledger.delivered = 19, .delivered = 19, .offered = 19, .agent_died = 1
};

static void check(const struct source_counts *counts, uint64_t emitted, uint64_t lost,
		  uint64_t filtered, uint64_t delivered, uint64_t died)
{
	ck_assert_uint_eq(counts->ledger.emitted, emitted);
	ck_assert_uint_eq(counts->lost, lost);
	ck_assert_uint_eq(counts->ledger.lost_no_ring, lost);
	ck_assert_uint_eq(counts->ledger.filtered, filtered);
	ck_assert_uint_eq(counts->delivered, delivered);
	ck_assert_uint_eq(counts->ledger.delivered, delivered);
	ck_assert_uint_eq(counts->agent_died, died);
	ck_assert_uint_eq(counts->delivered, counts->offered + counts->handed_over);
	ck_assert_uint_eq(counts->ledger.in_ring, 0);
}

START_TEST(test_programs_end_with_agent)
{
	struct state_source source = { .name = "a" };
	struct source_counts counts;

	state__split(&source, &ended, &now);
	state__continue(&source, &counts);
	check(&counts, 100, 10, 23, 19 + 40, 1 + 5 + 2);
	ck_assert_uint_eq(counts.ledger.emitted, counts.lost + counts.ledger.filtered +
							 counts.delivered + counts.agent_died);
}
END_TEST

/* The programs have sent 5 more events to the rings of the killed agent. */
START_TEST(test_programs_go_on)
{
	struct state_source source = { .name = "a", .pinned_ns = 1 };
	struct source_counts counts;

	state__split(&source, &ended, &now);
	ck_assert_uint_eq(source.read, 20 + 45);
	ck_assert_uint_eq(source.programs.ledger.filtered, 20);
	state__continue_programs(&source, 70, &counts);
	check(&counts, 0, 0, 3, 19 + 40, 1 + 5 + 2);
	/* The counts of the agent that was killed were newer than those of its programs. */
	state__continue_programs(&source, 64, &counts);
	ck_assert_uint_eq(counts.agent_died, 1 + 2);
}
END_TEST

START_TEST(test_programs_are_replaced)
{
	const struct peat_ledger last = {
		.emitted = 120, .lost_no_ring = 12, .filtered = 25, .staged = 4, .former = 79
	};
	struct state_source source = { .name = "a", .pinned_ns = 1 };
	struct source_counts counts;

	state__split(&source, &ended, &now);
	state__end_programs(&source, &last, &counts);
	check(&counts, 120, 12, 3 + 25, 19 + 40, 1 + (79 - 65) + 4 + 2);
	ck_assert_uint_eq(counts.ledger.emitted, counts.lost + counts.ledger.filtered +
							 counts.delivered + counts.agent_died);
}
END_TEST

/* A pipeline offers events before its reader publishes that it has returned them. */
START_TEST(test_unpublished_events_are_delivered)
{
	struct state_source source = { .name = "a", .pinned_ns = 1 };
	struct source_counts counts, newer = now;

	newer.offered = 44;
	state__split(&source, &ended, &newer);
	ck_assert_uint_eq(source.read, 20 + 45 + 3);
	ck_assert_uint_eq(source.programs.ledger.in_ring, 2);
	state__continue(&source, &counts);
	check(&counts, 100, 10, 23, 19 + 45, 1 + 2);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_programs_end_with_agent);
	tcase_add_test(tests, test_programs_go_on);
	tcase_add_test(tests, test_programs_are_replaced);
	tcase_add_test(tests, test_unpublished_events_are_delivered);
}
