// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_log_records.c: events as log records; test_otlp.c has other programs read them. */
#include <peat/identity.h>

#include "otlp/log_records.h"
#include "otlp_events.h"
#include "otlp_messages.h"
#include "unit/suite.h"

enum { STRING = 1, INT = 3, BYTES = 7 }; /* of AnyValue */
enum { ATTRIBUTES = 6 };

static struct strbuf out;

/* The first log record of the batch, which is freed. */
static struct protobuf_message first_record(struct peat_batch *batch)
{
	const struct strbuf resource = { 0 };

	strbuf__cut(&out, 0);
	ck_assert_uint_gt(otlp_log_records__append(&out, &resource, batch, 17), 0);
	peat_batch__unref(batch);
	return inner(inner(inner(whole(&out), 1, 0), 2, 0), 2, 0);
}

static struct protobuf_message record_of(const struct peat_event *event)
{
	struct peat_batch *batch = new_batch();

	ck_assert_int_eq(peat_batch__add(batch, event), 0);
	return first_record(batch);
}

START_TEST(test_event_of_a_type)
{
	struct protobuf_message record = first_record(batch_of(1));

	ck_assert_uint_eq(number_in(record, 1), OTLP_WALL_CLOCK + 1000000007);
	ck_assert_uint_eq(number_in(record, 11), 17);
	ck_assert_uint_eq(number_in(record, 2), 13); /* it has an errno */
	check_text(record, 12, "peat.opened");
	check_text(attribute(record, ATTRIBUTES, "event.name"), STRING, "peat.opened");
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "thread.id"), INT), 41);
	check_text(attribute(record, ATTRIBUTES, "result"), STRING, "ENOENT");
	check_text(attribute(record, ATTRIBUTES, "offset"), STRING, "18446744073709551615");
	check_text(attribute(record, ATTRIBUTES, "mode"), STRING, "WRITE");
}
END_TEST

START_TEST(test_success_is_information)
{
	struct opened opened = opened_event;
	struct peat_batch *batch = new_batch();
	struct protobuf_message record;

	opened.result = 3;
	opened.mode = 7; /* it has no name */
	add_opened(batch, &opened);
	record = first_record(batch);
	ck_assert_uint_eq(number_in(record, 2), 9);
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "result"), INT), 3);
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "mode"), INT), 7);
}
END_TEST

START_TEST(test_text_that_is_not_utf8)
{
	static const char *const texts[] = { "\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80",
					     "12345678\x80" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct opened opened = opened_event;
		struct peat_batch *batch = new_batch();

		memset(opened.path, 0, sizeof(opened.path));
		strcpy(opened.path, texts[i]);
		add_opened(batch, &opened);
		check_text(attribute(first_record(batch), ATTRIBUTES, "path"), BYTES, texts[i]);
	}
}
END_TEST

START_TEST(test_control_characters_are_utf8)
{
	struct opened opened = opened_event;
	struct peat_batch *batch = new_batch();

	strcpy(opened.path, "\x1b[m\xc2\x85\xe2\x80\xae");
	add_opened(batch, &opened);
	check_text(attribute(first_record(batch), ATTRIBUTES, "path"), STRING, opened.path);
}
END_TEST

/* An event may end before a field. */
START_TEST(test_absent_fields)
{
	struct peat_event event =
		an_event(&opened_schema, &opened_event, offsetof(struct opened, digest));
	struct protobuf_message record = record_of(&event), value;

	check_text(attribute(record, ATTRIBUTES, "path"), STRING, opened_event.path);
	ck_assert(!find_attribute(record, ATTRIBUTES, "digest", &value));
	ck_assert(!find_attribute(record, ATTRIBUTES, "peer", &value));
	ck_assert(!find_attribute(record, ATTRIBUTES, "delay", &value));
}
END_TEST

START_TEST(test_unknown_task_and_time)
{
	struct peat_event event = an_event(&opened_schema, &opened_event, sizeof(opened_event));
	struct protobuf_message record, value;
	struct protobuf_field field;

	event.time_ns = 0;
	event.cpu = PEAT_NO_CPU;
	event.pid = event.tid = PEAT_NO_TASK;
	event.comm = NULL;
	record = record_of(&event);
	ck_assert(!find_field(record, 1, 0, &field));
	ck_assert(!find_attribute(record, ATTRIBUTES, "process.pid", &value));
	ck_assert(!find_attribute(record, ATTRIBUTES, "thread.id", &value));
	ck_assert(!find_attribute(record, ATTRIBUTES, "thread.name", &value));
	ck_assert(!find_attribute(record, ATTRIBUTES, "cpu.logical_number", &value));
}
END_TEST

START_TEST(test_owner_of_the_task)
{
	struct peat_event event = an_event(&opened_schema, &opened_event, sizeof(opened_event));
	struct protobuf_message record;

	event.has_owner = true;
	event.uid = 1000;
	event.cgroup = 77;
	record = record_of(&event);
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "process.real_user.id"), INT),
			  1000);
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "peat.cgroup.id"), INT), 77);
}
END_TEST

START_TEST(test_identity_of_the_task)
{
	struct peat_event event = an_event(&opened_schema, &opened_event, sizeof(opened_event));
	struct peat_identity identity = { .sz = sizeof(identity),
					  .runtime = "docker",
					  .container = "0123456789ab",
					  .container_name = "web",
					  .pod_name = "shop/web-1",
					  .unit = "docker.service" };
	struct protobuf_message record, value;

	event.has_owner = true;
	event.identity = &identity;
	record = record_of(&event);
	check_text(attribute(record, ATTRIBUTES, "container.id"), STRING, "0123456789ab");
	check_text(attribute(record, ATTRIBUTES, "container.name"), STRING, "web");
	check_text(attribute(record, ATTRIBUTES, "container.runtime"), STRING, "docker");
	check_text(attribute(record, ATTRIBUTES, "k8s.namespace.name"), STRING, "shop");
	check_text(attribute(record, ATTRIBUTES, "k8s.pod.name"), STRING, "web-1");
	check_text(attribute(record, ATTRIBUTES, "systemd.unit"), STRING, "docker.service");
	ck_assert(!find_attribute(record, ATTRIBUTES, "k8s.pod.uid", &value));
}
END_TEST

START_TEST(test_bytes_without_type)
{
	struct peat_event event = an_event(NULL, "12345678", 8);
	struct protobuf_message record;

	event.map = "events";
	record = record_of(&event);
	check_text(record, 12, "peat.raw");
	check_text(attribute(record, ATTRIBUTES, "peat.map"), STRING, "events");
	check_text(attribute(record, ATTRIBUTES, "peat.data"), BYTES, "12345678");
}
END_TEST

START_TEST(test_lost_events)
{
	struct peat_batch *batch = new_batch();
	struct protobuf_message record, value;

	add_lost(batch, 5);
	record = first_record(batch);
	check_text(record, 12, "peat.lost");
	ck_assert_uint_eq(number_in(record, 2), 13);
	ck_assert_uint_eq(number_in(attribute(record, ATTRIBUTES, "peat.lost.count"), INT), 5);
	check_text(attribute(record, ATTRIBUTES, "peat.lost.cause"), STRING, "ring_full");
	ck_assert(!find_attribute(record, ATTRIBUTES, "process.pid", &value));
}
END_TEST

START_TEST(test_records_of_perf_are_left_out)
{
	const struct peat_event event = { .kind = PEAT_EVENT_TOOL, .type = 68 };
	const struct strbuf resource = { 0 };
	struct peat_batch *batch = new_batch();

	strbuf__cut(&out, 0);
	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	ck_assert_uint_eq(otlp_log_records__append(&out, &resource, batch, 17), 0);
	peat_batch__unref(batch);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_event_of_a_type);
	tcase_add_test(tests, test_success_is_information);
	tcase_add_test(tests, test_text_that_is_not_utf8);
	tcase_add_test(tests, test_control_characters_are_utf8);
	tcase_add_test(tests, test_absent_fields);
	tcase_add_test(tests, test_unknown_task_and_time);
	tcase_add_test(tests, test_owner_of_the_task);
	tcase_add_test(tests, test_identity_of_the_task);
	tcase_add_test(tests, test_bytes_without_type);
	tcase_add_test(tests, test_lost_events);
	tcase_add_test(tests, test_records_of_perf_are_left_out);
}
