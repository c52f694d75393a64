// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_lost_event.c: losses of a recording name their record and event; live ones do not. */
#include "perf_data/attrs.h"
#include "print/lost_event.h"
#include "replay/recorded.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct perf_attrs attrs;
static struct peat_recorded recorded = { .names = &replay_names, .attrs = &attrs };

static void setup(void)
{
	struct perf_attr attr = { 0 };

	perf_attrs__init(&attrs, false);
	ck_assert_int_eq(perf_attrs__add(&attrs, &attr), 0);
	ck_assert_int_eq(perf_attrs__add(&attrs, &attr), 0);
	ck_assert_int_eq(perf_attrs__name(attrs.at[1], "a\"\n", 3), 0);
}

static void teardown(void)
{
	perf_attrs__clear(&attrs);
}

static void check_loss(const struct peat_event *event, const char *text, const char *json)
{
	struct strbuf out = { 0 };

	lost_event__text(&out, event);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, text);
	strbuf__cut(&out, 0);
	lost_event__json(&out, event);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, json);
	strbuf__free(&out);
}

START_TEST(test_recorded_loss_names_event)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES };
	struct peat_event event = { .kind = PEAT_EVENT_LOST,
				    .record = &record,
				    .recorded = &recorded };

	check_loss(&event, " (LOST_SAMPLES of cycles)",
		   ",\"record\":\"LOST_SAMPLES\",\"event\":\"cycles\"");
	event.type = 1;
	check_loss(&event, " (LOST_SAMPLES of a\"\\n)",
		   ",\"record\":\"LOST_SAMPLES\",\"event\":\"a\\\"\\n\"");
	event.type = PEAT_NO_EVENT;
	record.type = PEAT_RECORD_LOST;
	check_loss(&event, " (LOST)", ",\"record\":\"LOST\",\"event\":null");
}
END_TEST

START_TEST(test_live_loss_names_cause)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST };
	struct peat_event event = { .kind = PEAT_EVENT_LOST };

	check_loss(&event, "", "");
	event.record = &record;
	check_loss(&event, "", "");
	event.record = NULL;
	event.recorded = &recorded;
	check_loss(&event, "", "");
	event.recorded = NULL;
	event.cause = PEAT_LOST_RING_FULL;
	check_loss(&event, ": ring_full", ",\"cause\":\"ring_full\"");
	event.cause = PEAT_LOST_CORRUPT;
	check_loss(&event, ": corrupt", ",\"cause\":\"corrupt\"");
	ck_assert_ptr_null(peat_lost_cause__name((enum peat_lost_cause)(PEAT_LOST_CORRUPT + 1)));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_recorded_loss_names_event);
	tcase_add_test(tests, test_live_loss_names_cause);
}
