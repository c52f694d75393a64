// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_audit_report.c: an audit as text and as JSON. */
#include <errno.h>
#include <stdlib.h>

#include "unit/audit/audited.h"

static void check(char *text, const char *expected)
{
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
}

static struct audit *with_losses(void)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);

	audited__count(&ledger, "peat.source.delivered", NULL, NULL, 1000);
	audited__count(&ledger, "peat.source.lost", "cause", "ring_full", 2);
	audited__count(&ledger, "peat.source.lost", "cause", "nested", 0);
	audited__flow(&ledger, "stream", 1000, 100, 50, 850);
	ck_assert_int_eq(audited__piece(audit, "web1", 2, 399), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 551, 430), 0);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	return audit;
}

START_TEST(test_text_of_losses)
{
	struct audit *audit = with_losses();

	check(audit__text(audit),
	      "web1 exec, run of 2026-11-30T16:00:00Z: 829 of 1000 events arrived, in 2 pieces, "
	      "151 are missing: 1, 401-550\n"
	      "  2 lost before the agent read them (ring_full 2)\n"
	      "  100 dropped by the queue or the spool of the agent\n"
	      "  50 refused by the server\n"
	      "  21 acknowledged by the server, and lost in the stream\n");
	audit__free(audit);
}
END_TEST

START_TEST(test_json_of_losses)
{
	struct audit *audit = with_losses();

	check(audit__json(audit),
	      "{\"host\":\"web1\",\"source\":\"exec\",\"run\":1796054400000000000,\"events\":829,"
	      "\"points\":0,\"pieces\":2,\"repeated\":0,\"missing\":151,\"gaps\":[[1,1],[401,550]],"
	      "\"ledger\":true,\"delivered\":1000,\"lost\":2,"
	      "\"causes\":{\"ring_full\":2,\"nested\":0},\"dropped\":100,\"refused\":50,"
	      "\"waiting\":0,\"lost_in_stream\":21,\"unexplained\":0}\n");
	audit__free(audit);
}
END_TEST

START_TEST(test_text_of_a_complete_source)
{
	struct audited_ledger ledger = audited__ledger(5);
	struct audit *audit = audited__new(NULL);

	audited__flow(&ledger, "stream", 100, 0, 0, 100);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), 0);
	ck_assert_int_eq(audited__piece(audit, "web1", 1, 100), -EALREADY);
	ck_assert_int_eq(audited__add(audit, "web1", &ledger), 0);
	check(audit__text(audit),
	      "web1 exec, run of 2026-11-30T16:00:00Z: 100 events arrived, in 2 "
	      "pieces, 100 of them again\n"
	      "  complete: the ledger of the agent agrees\n");
	audit__free(audit);
}
END_TEST

START_TEST(test_text_without_a_ledger)
{
	struct audit *audit = audited__new(NULL);

	for (uint64_t i = 1; i <= 10; i++)
		ck_assert_int_eq(audited__piece(audit, "web\x1b[1", 2 * i, 1), 0);
	check(audit__text(audit),
	      "web\\x1b[1 exec, run of 2026-11-30T16:00:00Z: 10 events arrived, in 10 pieces, 10 "
	      "are missing: 1, 3, 5, 7, 9, 11, 13, 15, ...\n"
	      "  the agent sent no ledger: events after the last one that arrived may be "
	      "missing\n");
	audit__free(audit);
}
END_TEST

START_TEST(test_pieces_in_no_row)
{
	struct audit *audit = audited__new(NULL);

	audit__add_misnamed(audit);
	audit__add_misnamed(audit);
	check(audit__text(audit), "2 pieces refused: their subject is of another host or source\n");
	check(audit__json(audit), "{\"pieces_refused\":2,\"pieces_left_out\":0}\n");
	audit__free(audit);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_text_of_losses);
	tcase_add_test(tests, test_json_of_losses);
	tcase_add_test(tests, test_text_of_a_complete_source);
	tcase_add_test(tests, test_pieces_in_no_row);
	tcase_add_test(tests, test_text_without_a_ledger);
}
