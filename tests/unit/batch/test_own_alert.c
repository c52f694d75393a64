// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_alert.c: alerts of the agent as events. */
#include <errno.h>
#include <string.h>

#include <peat/sink.h>

#include "batch/own_alert.h"
#include "unit/suite.h"

static const struct own_alert lost = {
	.kind = "lost", .name = "exec", .count = 12, .message = "source exec: 12 events were lost"
};

static struct peat_batch *new_batch(uint64_t bytes)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "agent",
					      .bytes = bytes };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

START_TEST(test_alert_is_an_event)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch(0);
	struct peat_event event;
	char text[512];

	ck_assert_int_eq(own_alert__add(batch, &lost), 0);
	ck_assert_uint_eq(peat_batch__events(batch), 1);
	ck_assert(peat_batch__next(batch, &at, &event));
	ck_assert_str_eq(own_alert__message(&event), lost.message);
	ck_assert_uint_lt(event.size, sizeof(lost));
	event.time_ns = 0;
	ck_assert_int_gt(peat_event__json(&event, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "{\"type\":\"alert\",\"time_ns\":0,\"cpu\":null,\"pid\":null,"
			       "\"tid\":null,\"comm\":null,\"kind\":\"lost\",\"name\":\"exec\","
			       "\"count\":12,\"message\":\"source exec: 12 events were lost\"}");
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_other_events_are_no_alerts)
{
	const struct peat_event event = { .kind = PEAT_EVENT_DATA, .data = &lost };

	ck_assert_ptr_null(own_alert__message(&event));
}
END_TEST

START_TEST(test_full_batch)
{
	struct peat_batch *batch = new_batch(1);

	ck_assert_int_eq(own_alert__add(batch, &lost), 0);
	ck_assert_int_eq(own_alert__add(batch, &lost), -ENOSPC);
	ck_assert_uint_eq(peat_batch__events(batch), 1);
	peat_batch__unref(batch);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_alert_is_an_event);
	tcase_add_test(tests, test_other_events_are_no_alerts);
	tcase_add_test(tests, test_full_batch);
}
