// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_counts.c: sums of the counts of sources. */
#include "pipeline/pipeline.h"
#include "unit/suite.h"

START_TEST(test_all_counts_are_added)
{
	struct source_counts sum = { .ledger = { .sz = 1, .emitted = 1, .read = 2 }, .lost = 3 };
	const struct source_counts more = { .has_ledger = true,
					    .ledger = { .sz = 5, .emitted = 10, .read = 20 },
					    .has_events = true,
					    .delivered = 30,
					    .lost = 40,
					    .skipped = 50,
					    .handed_over = 60,
					    .offered = 70,
					    .agent_died = 80 };

	source_counts__add(&sum, &more);
	source_counts__add(&sum, &more);
	ck_assert(sum.has_ledger && sum.has_events);
	ck_assert_uint_eq(sum.ledger.sz, 1);
	ck_assert_uint_eq(sum.ledger.emitted, 21);
	ck_assert_uint_eq(sum.ledger.read, 42);
	ck_assert_uint_eq(sum.delivered, 60);
	ck_assert_uint_eq(sum.lost, 83);
	ck_assert_uint_eq(sum.skipped, 100);
	ck_assert_uint_eq(sum.handed_over, 120);
	ck_assert_uint_eq(sum.offered, 140);
	ck_assert_uint_eq(sum.agent_died, 160);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_all_counts_are_added);
}
