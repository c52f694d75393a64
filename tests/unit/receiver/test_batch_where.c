// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_batch_where.c: an expression for batches with types of their own. */
#include <errno.h>

#include <peat/log.h>

#include "receiver/batch_where.h"
#include "support/agent/file_run.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	if (level < PEAT_LOG_DEBUG)
		snprintf(message, sizeof(message), "%s", text);
}

/* How many events of a new batch match. */
static unsigned count(struct where_text *all, unsigned events)
{
	struct peat_batch *batch = file_run__batch(1, events);
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct batch_where where;
	struct peat_event event;
	unsigned matches = 0;

	ck_assert_int_eq(batch_where__begin(&where, all), 0);
	while (peat_batch__next(batch, &at, &event)) {
		int result = batch_where__test(&where, &event);

		ck_assert_int_ge(result, 0);
		matches += (unsigned)result;
	}
	batch_where__end(&where);
	peat_batch__unref(batch);
	return matches;
}

START_TEST(test_without_an_expression_all_match)
{
	struct where_text all = { 0 };

	ck_assert_uint_eq(count(&all, 20), 20);
}
END_TEST

START_TEST(test_each_batch_is_tested)
{
	struct where_text all = { .text = "number > 8 && number < 11" };

	ck_assert_uint_eq(count(&all, 20), 2);
	ck_assert_uint_eq(count(&all, 9), 1);
}
END_TEST

START_TEST(test_misfit_of_a_type_is_logged_once)
{
	struct where_text all = { .text = "number == name" };

	peat_set_print(keep);
	ck_assert_uint_eq(count(&all, 5), 0);
	ck_assert_msg(strstr(message, "name"), "%s", message);
	*message = '\0';
	ck_assert_uint_eq(count(&all, 5), 0);
	ck_assert_str_eq(message, "");
	strbuf__free(&all.misfits);
}
END_TEST

/* As many types as anybody may name. */
START_TEST(test_misfits_are_bounded)
{
	struct where_text all = { .text = "number == name" };

	strbuf__fill(&all.misfits, 'x', WHERE_TEXT_MISFITS_MAX);
	strbuf__char(&all.misfits, '\0');
	peat_set_print(keep);
	*message = '\0';
	ck_assert_uint_eq(count(&all, 5), 0);
	ck_assert_str_eq(message, "");
	ck_assert_uint_eq(all.misfits.count, WHERE_TEXT_MISFITS_MAX + 1);
	strbuf__free(&all.misfits);
}
END_TEST

START_TEST(test_wrong_expression_is_refused)
{
	struct where_text all = { .text = "number >" };
	struct batch_where where;

	peat_set_print(keep);
	ck_assert_int_eq(batch_where__begin(&where, &all), -EINVAL);
	ck_assert_str_ne(message, "");
	batch_where__end(&where);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_without_an_expression_all_match);
	tcase_add_test(tests, test_each_batch_is_tested);
	tcase_add_test(tests, test_misfit_of_a_type_is_logged_once);
	tcase_add_test(tests, test_misfits_are_bounded);
	tcase_add_test(tests, test_wrong_expression_is_refused);
}
