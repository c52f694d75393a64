// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_audit.c: events that arrived, again, or not at all, and the ledgers that say where. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/audit/audited.h"
#include "unit/fail_alloc.h"

static struct audit_sums sums_of(const struct audit *audit, const char *host)
{
	const struct audit_row *row = NULL;
	struct audit_sums sums;

	while ((row = audit__next(audit, row)) &&
	       (strcmp(row->host, host) || strcmp(row->source, "exec")))
		;
	ck_assert_ptr_nonnull(row);
	audit__sum(audit, row, &sums);
	return sums;
}

START_TEST(test_gaps_are_counted_by_host)
{
	struct audit *audit = audited__new(NULL);

	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), 0);
	ck_assert_int_eq(audited__piece(audit, "web2", 1, 100), 0);
	ck_assert(!audit__lacks_events(audit));
	ck_assert_int_eq(audited__piece(audit, "web1", 201, 50), 0);
	ck_assert_int_eq(audited__piece(audit, "web2", 101, 50), 0);
	ck_assert_uint_eq(sums_of(audit, "web1").arrived, 150);
	ck_assert_uint_eq(sums_of(audit, "web1").gaps, 100);
	ck_assert_uint_eq(sums_of(audit, "web1").unexplained, 100);
	ck_assert_uint_eq(sums_of(audit, "web2").gaps, 0);
	ck_assert(audit__lacks_events(audit));
	ck_assert_int_eq(audited__piece(audit, "web1", 101, 100), 0); /* out of order */
	ck_assert(!audit__lacks_events(audit));
	audit__free(audit);
}
END_TEST

START_TEST(test_missing_first_events_are_a_gap)
{
	struct audit *audit = audited__new(NULL);

	ck_assert_int_eq(audited__piece(audit, "web1", 11, 10), 0);
	ck_assert_uint_eq(sums_of(audit, "web1").gaps, 10);
	audit__free(audit);
}
END_TEST

START_TEST(test_pieces_that_arrive_again)
{
	struct audit *audit = audited__new(NULL);

	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 101, 100), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), -EALREADY);
	ck_assert_int_eq(audited__piece(audit, "web2", 1, 100), 0); /* of another host */
	ck_assert_int_eq(audited__piece(audit, "web1", 0, 0), 0);   /* points only */
	ck_assert_int_eq(audited__piece(audit, "web1", 0, 0), 0);
	ck_assert_uint_eq(audit__next(audit, NULL)->repeated, 100);
	ck_assert_uint_eq(sums_of(audit, "web1").arrived, 200);
	audit__free(audit);
}
END_TEST

START_TEST(test_impossible_numbers_are_refused)
{
	struct audit *audit = audited__new(NULL);

	ck_assert_int_eq(audited__piece(audit, "web1", 0, 1), -EBADMSG);
	ck_assert_int_eq(audited__piece(audit, "web1", UINT64_MAX, 2), -EBADMSG);
	ck_assert_ptr_null(audit__next(audit, NULL));
	ck_assert_int_eq(audited__piece(audit, "web1", UINT64_MAX, 1), 0);
	audit__free(audit);
}
END_TEST

START_TEST(test_ledger_says_where_events_were_lost)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);
	struct audit_sums sums;

	/* 1,000 events: 3 waited too long for the ring, 100 were dropped, 50 refused. */
	audited__count(&ledger, "peat.source.delivered", NULL, NULL, 1000);
	audited__count(&ledger, "peat.source.lost", "cause", "ring_full", 2);
	audited__count(&ledger, "peat.source.lost", "cause", "nested", 1);
	audited__flow(&ledger, "stream", 1000, 100, 50, 840);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 400), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 551, 430), 0);
	sums = sums_of(audit, "web1");
	ck_assert(sums.has_ledger);
	ck_assert_uint_eq(sums.lost, 3);
	ck_assert_uint_eq(sums.dropped, 100);
	ck_assert_uint_eq(sums.refused, 50);
	ck_assert_uint_eq(sums.waiting, 10);
	ck_assert_uint_eq(sums.lost_in_stream, 10);
	ck_assert_uint_eq(sums.gaps, 150);
	ck_assert_uint_eq(sums.unexplained, 0);
	ck_assert(audit__lacks_events(audit));
	audit__free(audit);
}
END_TEST

START_TEST(test_ledger_agrees_with_what_arrived)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);
	struct audit_sums sums;

	audited__flow(&ledger, "stream", 100, 0, 0, 90); /* older than the last piece */
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), 0);
	sums = sums_of(audit, "web1");
	ck_assert_uint_eq(sums.lost_in_stream, 0);
	ck_assert(!audit__lacks_events(audit));
	audit__free(audit);
}
END_TEST

START_TEST(test_newest_ledger_counts)
{
	struct audited_ledger newer = audited__ledger(6), older = audited__ledger(5);
	struct audit *audit = audited__new(NULL);

	audited__flow(&newer, "stream", 100, 20, 0, 80);
	audited__flow(&older, "stream", 50, 10, 0, 40);
	ck_assert_int_eq(audited__add(audit, "web1", &newer), 0);
	ck_assert_int_eq(audited__add(audit, "web1", &older), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 80), 0);
	ck_assert_uint_eq(sums_of(audit, "web1").dropped, 20);
	audit__free(audit);
}
END_TEST

static void check_run(const struct audit *audit, uint64_t run, uint64_t arrived, uint64_t waiting)
{
	const struct audit_row *row = NULL;
	struct audit_sums sums;

	while ((row = audit__next(audit, row)) && (row->run != run || strcmp(row->source, "exec")))
		;
	ck_assert_ptr_nonnull(row);
	audit__sum(audit, row, &sums);
	ck_assert(sums.has_ledger);
	ck_assert_uint_eq(sums.arrived, arrived);
	ck_assert_uint_eq(sums.waiting, waiting);
	ck_assert_uint_eq(sums.lost_in_stream, 0);
	ck_assert_uint_eq(sums.unexplained, 0);
}

/* An agent was killed: 50 events were in its spool, 10 in its memory. */
START_TEST(test_next_agent_sends_the_spool)
{
	struct audited_ledger killed = audited__ledger(5), next = audited__ledger(6);
	struct audit *audit = audited__new(NULL);
	struct piece_info info = { .host = "web1",
				   .source = "exec",
				   .run = AUDITED_RUN + 1,
				   .number = 1,
				   .first = 1,
				   .events = 30 };

	audited__flow(&killed, "stream", 100, 0, 0, 40);
	ck_assert_int_eq(audited__add(audit, "web1", &killed), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 90), 0);
	audited__flow(&next, "stream", 50 + 30, 0, 0, 50 + 30);
	audited__count(&next, "peat.output.former.offered", "output", "stream", 50);
	audited__count(&next, "peat.output.former.acknowledged", "output", "stream", 50);
	ck_assert_int_eq(audited__add_of(audit, "web1", info.run, &next), 0);
	ck_assert_int_eq(audit__add_piece(audit, &info), 0);
	check_run(audit, AUDITED_RUN, 90, 10);
	check_run(audit, info.run, 30, 0);
	audit__free(audit);
}
END_TEST

static struct audit_sums sums_of_run(const struct audit *audit, uint64_t run)
{
	const struct audit_row *row = NULL;
	struct audit_sums sums;

	while ((row = audit__next(audit, row)) && (row->run != run || strcmp(row->source, "exec")))
		;
	ck_assert_ptr_nonnull(row);
	audit__sum(audit, row, &sums);
	return sums;
}

/* Two agents were killed after their spool dropped events that no ledger of theirs has. */
START_TEST(test_next_ledger_has_late_drops)
{
	struct audited_ledger first = audited__ledger(5), second = audited__ledger(6),
			      third = audited__ledger(7);
	struct audit *audit = audited__new(NULL);
	struct piece_info info = { .host = "web1",
				   .source = "exec",
				   .run = AUDITED_RUN + 1,
				   .number = 1,
				   .first = 21,
				   .events = 80 };

	audited__flow(&first, "stream", 100, 10, 0, 40);
	ck_assert_int_eq(audited__add(audit, "web1", &first), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 31, 70),
			 0); /* 30 missing, 20 of them late */
	audited__flow(&second, "stream", 200, 30, 0, 70);
	audited__count(&second, "peat.output.former.dropped", "output", "stream", 30);
	ck_assert_int_eq(audited__add_of(audit, "web1", info.run, &second), 0);
	ck_assert_int_eq(audit__add_piece(audit, &info), 0); /* 20 missing, all late */
	audited__flow(&third, "stream", 250, 57, 3, 170);
	audited__count(&third, "peat.output.former.dropped", "output", "stream", 57);
	audited__count(&third, "peat.output.former.refused", "output", "stream", 3);
	ck_assert_int_eq(audited__add_of(audit, "web1", AUDITED_RUN + 2, &third), 0);
	ck_assert_uint_eq(sums_of_run(audit, AUDITED_RUN).unexplained, 20);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(audit__explain(audit), 0);
		ck_assert_uint_eq(sums_of_run(audit, AUDITED_RUN).dropped, 10 + 20);
		ck_assert_uint_eq(sums_of_run(audit, AUDITED_RUN).unexplained, 0);
		ck_assert_uint_eq(sums_of_run(audit, info.run).dropped, 27);
		ck_assert_uint_eq(sums_of_run(audit, info.run).unexplained, 0);
		ck_assert_uint_eq(sums_of_run(audit, info.run).refused, 3);
	}
	audit__free(audit);
}
END_TEST

/* An agent was killed before its first ledger. */
START_TEST(test_next_ledger_explains_a_run_without_one)
{
	struct audited_ledger next = audited__ledger(5);
	struct audit *audit = audited__new("stream");
	struct audit_sums sums;

	ck_assert_int_eq(audited__piece(audit, "web1", 31, 70), 0);
	audited__flow(&next, "stream", 40, 40, 0, 0);
	audited__count(&next, "peat.output.former.dropped", "output", "stream", 40);
	ck_assert_int_eq(audited__add_of(audit, "web1", AUDITED_RUN + 1, &next), 0);
	ck_assert_int_eq(audit__explain(audit), 0);
	sums = sums_of_run(audit, AUDITED_RUN);
	ck_assert(sums.has_ledger);
	ck_assert_uint_eq(sums.gaps, 30);
	ck_assert_uint_eq(sums.dropped, 40); /* 10 of them were after the last piece */
	ck_assert_uint_eq(sums.unexplained, 0);
	audit__free(audit);
}
END_TEST

/* Batches of measurements have numbers, but no events. */
START_TEST(test_numbered_batches_that_arrive_again)
{
	struct piece_info info = {
		.host = "web1", .source = "stat", .run = 1, .number = 1, .first = 1, .points = 5
	};
	struct audit *audit = audited__new(NULL);

	ck_assert_int_eq(audit__add_piece(audit, &info), 0);
	ck_assert_int_eq(audit__add_piece(audit, &info), -EALREADY);
	info.number = 2;
	ck_assert_int_eq(audit__add_piece(audit, &info), 0);
	info.run = 2; /* of the next agent */
	ck_assert_int_eq(audit__add_piece(audit, &info), 0);
	ck_assert_uint_eq(audit__next(audit, NULL)->points, 10);
	audit__free(audit);
}
END_TEST

static void add_two_flows(struct audit *audit)
{
	struct audited_ledger ledger = audited__ledger(5);

	audited__flow(&ledger, "file", 100, 0, 0, 100);
	audited__flow(&ledger, "stream", 100, 30, 0, 70);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
}

START_TEST(test_output_that_leads_here)
{
	struct audit *audit = audited__new(NULL), *named = audited__new("stream");

	add_two_flows(audit);
	add_two_flows(named);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 70), 0);
	ck_assert(!sums_of(audit, "web1").has_ledger);
	ck_assert_uint_eq(sums_of(named, "web1").dropped, 30);
	ck_assert_uint_eq(sums_of(named, "web1").lost_in_stream, 70);
	audit__free(audit);
	audit__free(named);
}
END_TEST

/* A source whose only output is another one. */
START_TEST(test_source_that_leads_elsewhere_lacks_nothing)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);

	audited__flow(&ledger, "file", 100, 0, 0, 100);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	ck_assert(!sums_of(audit, "web1").has_ledger);
	ck_assert(!audit__lacks_events(audit));
	audit__free(audit);
}
END_TEST

START_TEST(test_other_points_are_not_of_a_ledger)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);

	audited__count(&ledger, "exec.count", "cause", "x", 1);
	audited__count(&ledger, "peat.output.new", "output", "x", 1);
	audited__count(&ledger, "peat.source.new", "cause", "x", 1);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	ck_assert_uint_eq(audit__next(audit, NULL)->flow_count, 0);
	ck_assert_uint_eq(audit__next(audit, NULL)->cause_count, 0);
	audit__free(audit);
}
END_TEST

START_TEST(test_kept_names_are_bounded)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);
	char name[16];

	for (int i = 0; i <= AUDIT_OUTPUTS; i++) {
		snprintf(name, sizeof(name), "output%d", i);
		audited__flow(&ledger, name, 1, 0, 0, 1);
	}
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), -ENOSPC);
	audit__free(audit);
}
END_TEST

/* A million hosts, and numbers with gaps: the rest is counted. */
START_TEST(test_memory_is_bounded)
{
	struct audit *audit = audited__new(NULL);
	const uint64_t rows_most = AUDIT_BYTES_MAX / sizeof(struct audit_row);
	uint64_t noted = 0;
	char host[16];
	int err = 0;

	for (unsigned i = 0; i < 1000000; i++) {
		snprintf(host, sizeof(host), "web%u", i);
		err = audited__piece(audit, host, 1, 1);
		noted += !err;
		ck_assert(!err || err == -ENOSPC);
	}
	ck_assert_int_eq(err, -ENOSPC);
	ck_assert_uint_lt(noted, rows_most);
	ck_assert_uint_gt(noted, rows_most * 9 / 10);
	ck_assert_uint_eq(audit__others(audit)->left_out, 1000000 - noted);
	ck_assert(audit__lacks_events(audit));
	ck_assert_int_eq(audited__piece(audit, "web0", 1, 1), -EALREADY);
	ck_assert_int_eq(audited__piece(audit, "web0", 2, 1), 0);
	audit__free(audit);
}
END_TEST

START_TEST(test_misnamed_pieces_are_counted)
{
	struct audit *audit = audited__new(NULL);

	audit__add_misnamed(audit);
	ck_assert_uint_eq(audit__others(audit)->misnamed, 1);
	ck_assert_ptr_null(audit__next(audit, NULL));
	ck_assert(audit__lacks_events(audit));
	audit__free(audit);
}
END_TEST

static int run(const struct audited_ledger *ledger)
{
	const struct piece_info info = { .host = "web1", .source = "ledger" };
	struct audit *audit = audit__new("stream");
	char *text = NULL, *json = NULL;
	int err = -ENOMEM;

	if (audit)
		err = audited__piece(audit, "web1", 2, 3);
	if (!err)
		err = audit__add_points(audit, &info, ledger->points);
	if (!err) {
		text = audit__text(audit);
		json = audit__json(audit);
		err = text && json ? 0 : -ENOMEM;
	}
	free(text);
	free(json);
	audit__free(audit);
	return err;
}

START_TEST(test_every_allocation_may_fail)
{
	struct audited_ledger ledger = audited__ledger(5);
	long before;

	audited__flow(&ledger, "stream", 100, 0, 0, 100);
	audited__count(&ledger, "peat.source.lost", "cause", "nested", 1);
	ck_assert_int_eq(run(&ledger), 0); /* libc keeps the time zone */
	before = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = run(&ledger);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(fail_alloc__blocks(), before);
	peat_batch__unref(ledger.points);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_gaps_are_counted_by_host);
	tcase_add_test(tests, test_missing_first_events_are_a_gap);
	tcase_add_test(tests, test_pieces_that_arrive_again);
	tcase_add_test(tests, test_impossible_numbers_are_refused);
	tcase_add_test(tests, test_ledger_says_where_events_were_lost);
	tcase_add_test(tests, test_ledger_agrees_with_what_arrived);
	tcase_add_test(tests, test_newest_ledger_counts);
	tcase_add_test(tests, test_next_agent_sends_the_spool);
	tcase_add_test(tests, test_next_ledger_has_late_drops);
	tcase_add_test(tests, test_next_ledger_explains_a_run_without_one);
	tcase_add_test(tests, test_numbered_batches_that_arrive_again);
	tcase_add_test(tests, test_output_that_leads_here);
	tcase_add_test(tests, test_source_that_leads_elsewhere_lacks_nothing);
	tcase_add_test(tests, test_other_points_are_not_of_a_ledger);
	tcase_add_test(tests, test_kept_names_are_bounded);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_misnamed_pieces_are_counted);
	tcase_add_test(tests, test_every_allocation_may_fail);
}
