// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_alert.c: events as alerts. */
#include "batch/own_alert.h"
#include "journal/alert.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

struct inner {
	uint32_t port;
	uint32_t a_name_that_is_so_long_that_journald_would_not_take_it_as_a_name;
};

struct outer {
	uint32_t number;
	char word[16];
	struct inner to;
	uint32_t secret, last;
};

static struct peat_field fields[] = {
	FIELD(struct outer, number, PEAT_FIELD_UNSIGNED),
	FIELD(struct outer, word, PEAT_FIELD_STRING),
	{ .name = "to",
	  .kind = PEAT_FIELD_STRUCT,
	  .span = 3,
	  .offset = offsetof(struct outer, to),
	  .bytes = sizeof(struct inner) },
	FIELD(struct inner, port, PEAT_FIELD_UNSIGNED),
	FIELD(struct inner, a_name_that_is_so_long_that_journald_would_not_take_it_as_a_name,
	      PEAT_FIELD_UNSIGNED),
	FIELD(struct outer, secret, PEAT_FIELD_UNSIGNED, .is_hidden = true),
	FIELD(struct outer, last, PEAT_FIELD_UNSIGNED),
};
static const struct peat_schema schema = SCHEMA("probe", fields);
static const struct outer data = { 7, "a\nb", { 80, 1 }, 5, 9 };

static struct peat_event event_of(uint32_t bytes)
{
	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .data = &data,
				    .size = bytes,
				    .schema = &schema,
				    .cpu = 1,
				    .pid = 2,
				    .tid = 3,
				    .comm = "sh",
				    .time_ns = 5 };
}

static void check(struct strbuf *out, const char *expected)
{
	strbuf__char(out, 0);
	ck_assert(!out->failed);
	ck_assert_str_eq(out->bytes, expected);
	strbuf__free(out);
}

#define TASK "PEAT_SOURCE=src\nPEAT_CPU=1\nPEAT_PID=2\nPEAT_TID=3\nPEAT_COMM=sh\n"

START_TEST(test_fields_of_event)
{
	struct peat_event event = event_of(sizeof(data));
	struct strbuf out = { 0 };

	alert__fields(&out, "src", &event, 1000000000000000000);
	check(&out, TASK "PEAT_TIME=1000000000.000000005\nPEAT_EVENT=probe\nPEAT_FIELD_NUMBER=7\n"
			 "PEAT_FIELD_WORD=a\\nb\nPEAT_FIELD_TO_PORT=80\n"
			 "PEAT_FIELD_TO_A_NAME_THAT_IS_SO_LONG_THAT_JOURNALD_WOULD_NOT_TAK=1\n"
			 "PEAT_FIELD_LAST=9\n");
}
END_TEST

START_TEST(test_short_event)
{
	struct peat_event event = event_of(offsetof(struct outer, word));
	struct strbuf out = { 0 };

	alert__fields(&out, "src", &event, 0);
	check(&out, TASK "PEAT_EVENT=probe\nPEAT_FIELD_NUMBER=7\n");
	event = event_of(offsetof(struct outer, to) + 4);
	alert__fields(&out, "src", &event, 0);
	check(&out, TASK "PEAT_EVENT=probe\nPEAT_FIELD_NUMBER=7\nPEAT_FIELD_WORD=a\\nb\n"
			 "PEAT_FIELD_TO_PORT=80\n");
	event.schema = NULL;
	event.pid = PEAT_NO_TASK;
	event.cpu = PEAT_NO_CPU;
	event.comm = NULL;
	alert__fields(&out, "src", &event, 0);
	check(&out, "PEAT_SOURCE=src\n");
}
END_TEST

START_TEST(test_messages_of_alerts)
{
	struct peat_event event = event_of(sizeof(data));
	struct strbuf out = { 0 };

	alert__message(&out, "src", &event);
	strbuf__char(&out, 0);
	ck_assert_ptr_eq(strstr(out.bytes, "src: probe"), out.bytes);
	ck_assert_ptr_nonnull(strstr(out.bytes, " number=7 word=a\\nb "));
	strbuf__free(&out);
	event = (struct peat_event){ .kind = PEAT_EVENT_LOST,
				     .lost = 12,
				     .cause = PEAT_LOST_RING_FULL };
	alert__message(&out, "src", &event);
	check(&out, "src: 12 events were lost: ring_full");
	alert__fields(&out, "src", &event, 0);
	check(&out, "PEAT_SOURCE=src\nPEAT_EVENT=lost\nPEAT_LOST=12\n"
		    "PEAT_LOST_CAUSE=ring_full\n");
	event.lost = 1;
	event.cause = (enum peat_lost_cause)99;
	alert__message(&out, "src", &event);
	check(&out, "src: 1 event was lost: unknown");
}
END_TEST

/* The agent's own alerts are in words. */
START_TEST(test_message_of_own_alert)
{
	const struct own_alert own = { .kind = "failing", .name = "one", .message = "one fails" };
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "agent" };
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = peat_batch__new(&opts);
	struct strbuf out = { 0 };
	struct peat_event event;

	ck_assert_int_eq(own_alert__add(batch, &own), 0);
	ck_assert(peat_batch__next(batch, &at, &event));
	alert__message(&out, "agent", &event);
	check(&out, "agent: one fails");
	alert__fields(&out, "agent", &event, 0);
	check(&out, "PEAT_SOURCE=agent\nPEAT_EVENT=alert\nPEAT_FIELD_KIND=failing\n"
		    "PEAT_FIELD_NAME=one\nPEAT_FIELD_COUNT=0\nPEAT_FIELD_MESSAGE=one fails\n");
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_kinds_of_alerts)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA };

	ck_assert(alert__is_wanted(&event));
	event.kind = PEAT_EVENT_RECORD;
	ck_assert(alert__is_wanted(&event));
	event.kind = PEAT_EVENT_LOST;
	ck_assert(alert__is_wanted(&event));
	event.kind = PEAT_EVENT_TOOL;
	ck_assert(!alert__is_wanted(&event));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_fields_of_event);
	tcase_add_test(tests, test_short_event);
	tcase_add_test(tests, test_messages_of_alerts);
	tcase_add_test(tests, test_message_of_own_alert);
	tcase_add_test(tests, test_kinds_of_alerts);
}
