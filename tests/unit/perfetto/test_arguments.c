// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_arguments.c: fields of events become arguments. */
#include "perfetto/arguments.h"
#include "perfetto/packets.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

struct place {
	uint32_t line;
	int16_t column;
};

struct values {
	uint64_t duration, later;
	int32_t difference;
	uint32_t mode;
	uint64_t mask;
	bool is_ready;
	char text[8];
	uint8_t address[4];
	double ratio;
	struct place place;
	uint32_t numbers[2];
	uint32_t secret, last;
};

static const struct peat_name modes[] = { { 1, "read" }, { 2, "write" } };

static struct peat_field fields[] = {
	FIELD(struct values, duration, PEAT_FIELD_DURATION),
	FIELD(struct values, later, PEAT_FIELD_DURATION),
	FIELD(struct values, difference, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct values, mode, PEAT_FIELD_ENUM, .names = modes, .name_count = 2),
	FIELD(struct values, mask, PEAT_FIELD_HEX),
	FIELD(struct values, is_ready, PEAT_FIELD_BOOL),
	FIELD(struct values, text, PEAT_FIELD_STRING),
	FIELD(struct values, address, PEAT_FIELD_IPV4),
	FIELD(struct values, ratio, PEAT_FIELD_FLOAT),
	{ .name = "place",
	  .kind = PEAT_FIELD_STRUCT,
	  .span = 3,
	  .offset = offsetof(struct values, place),
	  .bytes = sizeof(struct place) },
	FIELD(struct place, line, PEAT_FIELD_UNSIGNED),
	FIELD(struct place, column, PEAT_FIELD_SIGNED, .is_signed = true),
	{ .name = "numbers",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = offsetof(struct values, numbers),
	  .bytes = sizeof(((struct values *)0)->numbers),
	  .count = 2 },
	{ .name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
	FIELD(struct values, secret, PEAT_FIELD_UNSIGNED, .is_hidden = true),
	FIELD(struct values, last, PEAT_FIELD_UNSIGNED),
};
static struct peat_schema schema = SCHEMA("values", fields);

static const struct values values = {
	.duration = 1500,
	.later = 7,
	.difference = -3,
	.mode = 2,
	.mask = 0xf0,
	.is_ready = true,
	.text = "a\nb",
	.address = { 192, 0, 2, 1 },
	.ratio = 0.5,
	.place = { 12, -4 },
	.numbers = { 1, 2 },
	.secret = 9,
	.last = 8,
};

/* The arguments of an event of so many bytes, in a packet. */
static struct protobuf_message append(const struct values *of, size_t bytes)
{
	const struct peat_event event = an_event(&schema, of, bytes);
	struct packet_event marks;

	for (size_t i = 0; i < schema.count; i++)
		fields[i].schema = &schema;
	marks = packet_event__begin(&out, PACKET_INSTANT, 1, 2, 3);
	arguments__append(&out, &event, 100);
	packet_event__end(&out, marks);
	read_packets(1);
	return packets[0].event;
}

/* Checks the name of the nth argument: its id is 101 and the number of the field. */
static struct protobuf_message check_name(struct protobuf_message event, unsigned nth, size_t field)
{
	struct protobuf_message found = argument(event, nth);

	ck_assert_uint_eq(timeline_number(found, 1), 101 + field);
	return found;
}

static double double_of(struct protobuf_message message)
{
	uint64_t bits = timeline_number(message, 5);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

START_TEST(test_values_have_types)
{
	struct protobuf_message event = append(&values, sizeof(values)), place;
	struct protobuf_field field;

	ck_assert_uint_eq(timeline_number(check_name(event, 0, 0), 3), 1500);
	ck_assert_uint_eq(timeline_number(check_name(event, 2, 2), 4), (uint64_t)-3);
	ck_assert_str_eq(timeline_text(check_name(event, 3, 3), 6), "write");
	ck_assert_uint_eq(timeline_number(check_name(event, 4, 4), 7), 0xf0);
	ck_assert_uint_eq(timeline_number(check_name(event, 5, 5), 2), 1);
	ck_assert_str_eq(timeline_text(check_name(event, 6, 6), 6), "a\\nb");
	ck_assert_str_eq(timeline_text(check_name(event, 7, 7), 6), "192.0.2.1");
	ck_assert(double_of(check_name(event, 8, 8)) == 0.5);
	place = check_name(event, 9, 9);
	ck_assert_uint_eq(timeline_number(timeline_inner(place, 11, 0), 1), 111);
	ck_assert_uint_eq(timeline_number(timeline_inner(place, 11, 0), 3), 12);
	ck_assert_uint_eq(timeline_number(timeline_inner(place, 11, 1), 4), (uint64_t)-4);
	ck_assert_str_eq(timeline_text(check_name(event, 10, 12), 6), "[1 2]");
	ck_assert_uint_eq(timeline_number(check_name(event, 11, 15), 3), 8); /* not `secret` */
	ck_assert(!timeline_field(event, 4, 12, &field));
}
END_TEST

START_TEST(test_number_without_name_is_number)
{
	struct values other = values;

	other.mode = 17;
	ck_assert_uint_eq(timeline_number(check_name(append(&other, sizeof(other)), 3, 3), 3), 17);
}
END_TEST

START_TEST(test_missing_fields_are_left_out)
{
	struct protobuf_message event = append(&values, offsetof(struct values, mask) + 1);
	struct protobuf_field field;

	ck_assert(timeline_field(event, 4, 3, &field));
	ck_assert(!timeline_field(event, 4, 4, &field));
}
END_TEST

START_TEST(test_names_are_interned)
{
	struct protobuf_message interned;

	ck_assert_uint_eq(arguments__intern(&out, &schema, 100), 101 + schema.count);
	read_packets(1);
	interned = packet_part(0, 12);
	ck_assert_uint_eq(timeline_number(timeline_inner(interned, 2, 0), 1), 100);
	ck_assert_str_eq(timeline_text(timeline_inner(interned, 2, 0), 2), "values");
	ck_assert_uint_eq(timeline_number(timeline_inner(interned, 3, 10), 1), 111);
	ck_assert_str_eq(timeline_text(timeline_inner(interned, 3, 10), 2), "line");
}
END_TEST

START_TEST(test_first_duration_counts)
{
	struct values other = values;
	struct peat_event event = an_event(&schema, &other, sizeof(other));

	ck_assert_uint_eq(arguments__duration(&event), 1500);
	other.duration = 0;
	ck_assert_uint_eq(arguments__duration(&event), 7);
	event.size = 8;
	ck_assert_uint_eq(arguments__duration(&event), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_values_have_types);
	tcase_add_test(tests, test_number_without_name_is_number);
	tcase_add_test(tests, test_missing_fields_are_left_out);
	tcase_add_test(tests, test_names_are_interned);
	tcase_add_test(tests, test_first_duration_counts);
}
