// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_sample_plan.c: samples made by a plan are those that encode__record() and payload__convert()
 * make, for fields of every kind and for random structs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/appended.h"
#include "record/attr_encode.h"
#include "record/encode.h"
#include "recorder/sample_plan.h"
#include "support/recording/every_kind.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define ID	  40007
#define EVENT_MAX 4096

static struct payload_format format;
static struct sample_plan plan;
static struct peat_layout layout;
static bool is_typed;

static struct strbuf wanted, made;

static void teardown(void)
{
	if (is_typed)
		payload__free(&format);
	is_typed = false;
	strbuf__free(&wanted);
	strbuf__free(&made);
}

static void make_typed(const struct peat_schema *schema)
{
	teardown();
	ck_assert_int_eq(payload__init(&format, schema, "event", ID), 0);
	is_typed = true;
	layout = attr_encode__tracepoint(ID).layout;
	ck_assert_int_eq(sample_plan__init(&plan, &layout, 77, &format), 0);
}

static void make_plain(void)
{
	teardown();
	layout = attr_encode__bpf_output().layout;
	ck_assert_int_eq(sample_plan__init(&plan, &layout, 78, NULL), 0);
}

/* Encodes the event field by field.  True: it was cut. */
static bool encode_by_fields(const struct peat_event *event, uint64_t id)
{
	static unsigned char payload[PAYLOAD_BYTES_MAX];
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE,
				      .misc = PEAT_MISC_KERNEL,
				      .time_ns = event->time_ns,
				      .cpu = event->cpu,
				      .pid = event->pid,
				      .tid = event->tid,
				      .id = id };
	int size = (int)event->size;

	record.sample.raw = event->data;
	if (is_typed) {
		size = payload__convert(&format, event->data, event->size, event->tid, payload,
					sizeof(payload));
		record.sample.raw = payload;
	} else if (event->size > encode__raw_most(&layout)) {
		size = (int)encode__raw_most(&layout) | PAYLOAD_CUT;
	}
	ck_assert_int_ge(size, 0);
	record.sample.raw_bytes = (uint32_t)size & PAYLOAD_BYTES;
	strbuf__cut(&wanted, 0);
	ck_assert_int_eq(encode__record(&wanted, &layout, &record), 0);
	return size & PAYLOAD_CUT;
}

static void check_made(void)
{
	ck_assert_uint_eq(made.count, wanted.count);
	ck_assert_mem_eq(made.bytes, wanted.bytes, wanted.count);
}

/* As an event alone, and as one of a row, after bytes that are not zero. */
static void check(const struct peat_event *event)
{
	bool cut = encode_by_fields(event, is_typed ? 77 : 78);
	struct sample_row row;

	strbuf__cut(&made, 0);
	strbuf__fill(&made, '\xa5', wanted.count + 128);
	strbuf__cut(&made, 0);
	ck_assert_int_eq(sample_plan__put(&plan, event, &made), cut ? 2 : 1);
	check_made();
	sample_row__begin(&row, &plan, event);
	if (!row.bytes)
		return;
	ck_assert(!cut);
	strbuf__cut(&made, 0);
	strbuf__fill(&made, '\xa5', row.bytes + 8);
	strbuf__cut(&made, 0);
	sample_row__put(&row, event, made.bytes);
	made.count = row.bytes;
	check_made();
}

/* The event's data is in memory of exactly its size. */
static void check_data(const void *data, uint32_t bytes)
{
	char *copy = malloc(bytes + !bytes);
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .cpu = 3,
				    .time_ns = 0x1122334455667788,
				    .pid = 4711,
				    .tid = 4712,
				    .data = copy,
				    .size = bytes };

	if (bytes)
		memcpy(copy, data, bytes);
	check(&event);
	free(copy);
}

START_TEST(test_every_kind)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);

	make_typed(schema);
	for (uint32_t there = 0; there <= bytes; there++)
		check_data(event, there);
	teardown();
	peat_schema__free(schema);
}
END_TEST

/* ---- random structs -------------------------------------------------------------------------- */

#define FIELDS_MAX 12

static struct peat_field fields[FIELDS_MAX];

static uint32_t random_below(uint32_t limit)
{
	return (uint32_t)random() % limit;
}

static void add_field(struct peat_schema *schema)
{
	static const enum peat_field_kind kinds[] = { PEAT_FIELD_UNSIGNED, PEAT_FIELD_SIGNED,
						      PEAT_FIELD_HEX,	   PEAT_FIELD_UNSIGNED,
						      PEAT_FIELD_SIGNED,   PEAT_FIELD_HEX,
						      PEAT_FIELD_UNSIGNED, PEAT_FIELD_STRING,
						      PEAT_FIELD_BYTES,	   PEAT_FIELD_STRINGS };
	static const char *const names[] = { "a", "b", "c", "d", "e", "f",
					     "g", "h", "i", "j", "k", "l" };
	enum peat_field_kind kind = kinds[random_below(random_below(2) ? 7 : 10)];
	bool is_number =
		kind == PEAT_FIELD_UNSIGNED || kind == PEAT_FIELD_SIGNED || kind == PEAT_FIELD_HEX;
	struct peat_field *field = &fields[schema->count];

	schema->bytes += random_below(4) ? 0 : random_below(24); /* a gap */
	*field = (struct peat_field){ .name = names[schema->count++],
				      .kind = kind,
				      .span = 1,
				      .offset = schema->bytes,
				      .bytes = is_number ? 1u << random_below(4)
							 : 1 + random_below(40),
				      .schema = schema,
				      .is_signed = kind == PEAT_FIELD_SIGNED,
				      .big_endian = is_number && !random_below(6) };
	if (is_number && !random_below(8))
		field->bits = (uint8_t)(1 + random_below(field->bytes * 8));
	schema->bytes += field->bytes;
}

START_TEST(test_random_fields_match_payload)
{
	unsigned char data[EVENT_MAX];

	srandom(1);
	for (unsigned round = 0; round < 2000; round++) {
		struct peat_schema schema = { .name = "any", .fields = fields, .stacks_fd = -1 };
		uint32_t count = 1 + random_below(FIELDS_MAX);

		while (schema.count < count)
			add_field(&schema);
		for (uint32_t i = 0; i < sizeof(data); i++)
			data[i] = (unsigned char)random();
		make_typed(&schema);
		check_data(data, schema.bytes);
		check_data(data, schema.bytes + random_below(100));
		check_data(data, random_below(schema.bytes));
	}
}
END_TEST

/* ---- bytes ----------------------------------------------------------------------------------- */

START_TEST(test_plain_bytes_are_copied)
{
	static const unsigned char data[70000] = { 1, 2, 3, [69999] = 4 };

	make_plain();
	for (uint32_t bytes = 0; bytes < 100; bytes++)
		check_data(data, bytes);
	check_data(data, plan.raw_most);
	check_data(data, plan.raw_most + 1);
	check_data(data, sizeof(data));
}
END_TEST

/* Rows are of events that are copied. */
START_TEST(test_rows_need_copied_events)
{
	static struct peat_field number = {
		.name = "n", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8
	};
	struct peat_schema schema = {
		.name = "one", .fields = &number, .count = 1, .bytes = 8, .stacks_fd = -1
	};
	struct peat_event event = { .size = 8 };
	struct sample_row row;

	number.schema = &schema;
	make_typed(&schema);
	sample_row__begin(&row, &plan, &event);
	ck_assert_uint_eq(row.bytes, 64);
	event.size = 7;
	sample_row__begin(&row, &plan, &event);
	ck_assert_uint_eq(row.bytes, 0);
	appended__init(&schema);
	event.size = 200; /* bytes without a field */
	sample_row__begin(&row, &plan, &event);
	ck_assert_uint_eq(row.bytes, 0);
	number.big_endian = true;
	make_typed(&schema);
	event.size = 8;
	sample_row__begin(&row, &plan, &event);
	ck_assert_uint_eq(row.bytes, 0);
}
END_TEST

/* The payload is padded, so that perf finds the cgroup behind it. */
START_TEST(test_cgroup_is_behind_payload)
{
	static const unsigned char data[] = "0123456789abcdef";
	struct peat_event event = { .cgroup = 0x123456789, .data = data };
	struct peat_record record = { .sz = sizeof(record) };
	struct sample_row row;

	teardown();
	layout = attr_encode__bpf_output().layout;
	layout.sample_type |= PEAT_SAMPLE_CGROUP;
	ck_assert_int_eq(sample_plan__init(&plan, &layout, 78, NULL), 0);
	for (event.size = 0; event.size <= 16; event.size++) {
		strbuf__cut(&made, 0);
		ck_assert_int_eq(sample_plan__put(&plan, &event, &made), 1);
		ck_assert_int_eq(peat_record__decode(&layout, made.bytes, made.count, &record), 1);
		ck_assert_uint_eq(record.sample.cgroup, event.cgroup);
		ck_assert_uint_eq(record.sample.raw_bytes, (event.size + 11) / 8 * 8 - 4);
		ck_assert_mem_eq(record.sample.raw, data, event.size);
		sample_row__begin(&row, &plan, &event);
		ck_assert_uint_eq(row.bytes, 0);
	}
}
END_TEST

START_TEST(test_no_memory)
{
	static const char data[100000];
	struct peat_event event = { .size = sizeof(data), .data = data };
	int ret;

	make_plain();
	fail_alloc__begin(1);
	ret = sample_plan__put(&plan, &event, &made);
	if (!fail_alloc__end())
		return;
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(made.count, 0);
	ck_assert(!made.failed);
	ck_assert_int_eq(sample_plan__put(&plan, &event, &made), 2);
}
END_TEST

START_TEST(test_other_layouts_are_refused)
{
	struct peat_layout other = attr_encode__bpf_output().layout;

	other.sample_type |= PEAT_SAMPLE_ADDR;
	ck_assert_int_eq(sample_plan__init(&plan, &other, 1, NULL), -ENOTSUP);
	other.sample_type = PEAT_SAMPLE_RAW;
	ck_assert_int_eq(sample_plan__init(&plan, &other, 1, NULL), -ENOTSUP);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_every_kind);
	tcase_add_test(tests, test_random_fields_match_payload);
	tcase_add_test(tests, test_plain_bytes_are_copied);
	tcase_add_test(tests, test_rows_need_copied_events);
	tcase_add_test(tests, test_cgroup_is_behind_payload);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_other_layouts_are_refused);
}
