// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_packet_view.c: events that are packets, and those that are not. */
#include <stddef.h>
#include <string.h>

#include <peat/pcapng.h>

#include "field/fields.h"
#include "pcapng/link_type.h"
#include "pcapng/packet_view.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

struct event {
	uint32_t direction, ifindex;
	uint64_t bytes;
	uint16_t link;
	uint8_t data[6];
};

enum { DIRECTION, IFINDEX, BYTES, LINK, DATA, FIELDS };

static const struct peat_name directions[] = { { 3, "in" }, { 5, "out" } };

static const struct peat_field all_fields[FIELDS] = {
	FIELD(struct event, direction, PEAT_FIELD_ENUM, .names = directions, .name_count = 2),
	FIELD(struct event, ifindex, PEAT_FIELD_UNSIGNED),
	FIELD(struct event, bytes, PEAT_FIELD_SIZE),
	FIELD(struct event, link, PEAT_FIELD_UNSIGNED),
	FIELD(struct event, data, PEAT_FIELD_BYTES),
};

static const struct event event = { 5, 2, 100, 228, "packet" };

static struct peat_field fields[FIELDS];
static struct peat_schema schema;
static struct packet_members members;
static struct packet_view view;
static struct strbuf scratch;

static void setup(void)
{
	memcpy(fields, all_fields, sizeof(fields));
	schema = (struct peat_schema)SCHEMA("test", fields);
}

static bool read_event(const struct event *from, size_t bytes)
{
	ck_assert(packet_members__find(&members, &schema));
	return packet_view__read(&view, &members, from, (uint32_t)bytes, &scratch);
}

START_TEST(test_all_members)
{
	ck_assert(peat_schema__has_packets(&schema));
	ck_assert(read_event(&event, sizeof(event)));
	ck_assert_uint_eq(view.ifindex, 2);
	ck_assert_uint_eq(view.bytes, 100);
	ck_assert_uint_eq(view.link, 228);
	ck_assert_int_eq(view.direction, BLOCK_OUTBOUND);
	ck_assert_uint_eq(view.captured, 6);
	ck_assert_ptr_eq(view.data, event.data);
}
END_TEST

START_TEST(test_directions_by_name)
{
	struct event incoming = event, other = event;

	incoming.direction = 3;
	ck_assert(read_event(&incoming, sizeof(event)));
	ck_assert_int_eq(view.direction, BLOCK_INBOUND);
	other.direction = 0;
	ck_assert(read_event(&other, sizeof(event)));
	ck_assert_int_eq(view.direction, BLOCK_UNKNOWN);
	fields[DIRECTION].name_count = 1; /* no value for `out` */
	ck_assert(read_event(&event, sizeof(event)));
	ck_assert_int_eq(view.direction, BLOCK_UNKNOWN);
}
END_TEST

START_TEST(test_optional_members)
{
	fields[DIRECTION].name = "side";
	fields[LINK].name = "mtu";
	ck_assert(read_event(&event, sizeof(event)));
	ck_assert_int_eq(view.direction, BLOCK_UNKNOWN);
	ck_assert_uint_eq(view.link, LINK_UNKNOWN);
}
END_TEST

/* Plaintext has no interface, but tags before its bytes. */
START_TEST(test_plaintext_has_tags)
{
	static const char tags[] = "\0\x0e\0\x08tls.port\0\x20\0\4\0\0\0\0\0\x23\0\4\0\0\0\0\0\0\0";
	struct event cut = event;

	fields[IFINDEX].name = "other";
	fields[DATA].kind = PEAT_FIELD_CHARS;
	ck_assert(read_event(&event, sizeof(event)));
	ck_assert_uint_eq(view.link, LINK_UPPER_PDU);
	ck_assert_uint_eq(view.captured, 32 + 6);
	ck_assert_uint_eq(view.bytes, 32 + 100);
	ck_assert_mem_eq(view.data, tags, 32);
	ck_assert_mem_eq((const char *)view.data + 32, "packet", 6);
	cut.direction = 3;
	cut.bytes = UINT64_MAX;
	ck_assert(read_event(&cut, offsetof(struct event, data)));
	ck_assert_uint_eq(view.captured, 32);
	ck_assert_uint_eq(view.bytes, UINT32_MAX);
	ck_assert_int_eq(((const char *)view.data)[27], 1); /* received */
	fields[DIRECTION].name = "side";
	ck_assert(!peat_schema__has_packets(&schema));
}
END_TEST

START_TEST(test_other_types)
{
	static const int required[] = { IFINDEX, BYTES, DATA };

	for (size_t i = 0; i < 3; i++) {
		setup();
		fields[required[i]].name = "other";
		ck_assert(!peat_schema__has_packets(&schema));
	}
	setup();
	fields[DATA].kind = PEAT_FIELD_STRING;
	ck_assert(!peat_schema__has_packets(&schema));
	setup();
	fields[BYTES].kind = PEAT_FIELD_BYTES;
	ck_assert(!peat_schema__has_packets(&schema));
}
END_TEST

/* Each event has as many bytes of the packet as its program copied. */
START_TEST(test_short_events)
{
	ck_assert(read_event(&event, offsetof(struct event, data) + 2));
	ck_assert_uint_eq(view.captured, 2);
	ck_assert(read_event(&event, offsetof(struct event, data)));
	ck_assert_uint_eq(view.captured, 0);
	ck_assert_uint_eq(view.bytes, 100);
	ck_assert(!read_event(&event, offsetof(struct event, bytes) + 7));
	ck_assert(!read_event(&event, 0));
}
END_TEST

/* Bytes beyond the packet are padding. */
START_TEST(test_short_packet)
{
	struct event small = event;

	small.bytes = 4;
	ck_assert(read_event(&small, sizeof(small)));
	ck_assert_uint_eq(view.captured, 4);
	small.bytes = UINT64_MAX;
	ck_assert(read_event(&small, sizeof(small)));
	ck_assert_uint_eq(view.bytes, UINT32_MAX);
}
END_TEST

static void check_digits(const char *digits, const char *wanted, size_t count)
{
	struct {
		struct event event;
		uint32_t place;
		char text[16];
	} recorded = { .event = event };
	size_t bytes = strlen(digits) + 1;

	memcpy(recorded.text, digits, bytes);
	recorded.place = (uint32_t)(bytes << 16 | ((char *)recorded.text - (char *)&recorded));
	fields[DATA].kind = PEAT_FIELD_STRING;
	fields[DATA].place = PEAT_PLACE_DATA_LOC;
	fields[DATA].offset = (uint32_t)((char *)&recorded.place - (char *)&recorded);
	fields[DATA].bytes = 0;
	ck_assert(read_event(&recorded.event, sizeof(recorded)));
	ck_assert_uint_eq(view.captured, count);
	if (count)
		ck_assert_mem_eq(view.data, wanted, count);
}

/* Recordings have bytes as digits. */
START_TEST(test_digits_become_bytes)
{
	check_digits("00ff7e", "\x00\xff\x7e", 3);
	check_digits("00f", "\x00", 1);
	check_digits("12 34", "\x12", 1);
	check_digits("1G", "", 0);
	check_digits("", "", 0);
	strbuf__free(&scratch);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_all_members);
	tcase_add_test(tests, test_directions_by_name);
	tcase_add_test(tests, test_optional_members);
	tcase_add_test(tests, test_plaintext_has_tags);
	tcase_add_test(tests, test_other_types);
	tcase_add_test(tests, test_short_events);
	tcase_add_test(tests, test_short_packet);
	tcase_add_test(tests, test_digits_become_bytes);
}
