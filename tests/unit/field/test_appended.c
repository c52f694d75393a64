// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_appended.c: bytes after the struct of an event, and padding. */
#include <stdio.h>
#include <string.h>

#include "field/appended.h"
#include "field/field_text.h"
#include "unit/suite.h"

struct packet {
	uint32_t ifindex;
	uint16_t pkt_len, cap_len;
};

static struct peat_field fields[] = {
	{ .name = "ifindex", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
	{ .name = "pkt_len", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .offset = 4, .bytes = 2 },
	{ .name = "cap_len", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .offset = 6, .bytes = 2 },
};

static struct peat_schema schema;

static void setup(void)
{
	schema = (struct peat_schema){
		.name = "packet", .bytes = sizeof(struct packet), .count = 3, .fields = fields
	};
	fields[0].name = "ifindex";
	fields[2].bytes = 2;
	appended__init(&schema);
}

START_TEST(test_field_is_after_the_event)
{
	ck_assert_str_eq(schema.appended.name, "payload");
	ck_assert_uint_eq(schema.appended.offset, 8);
	ck_assert_uint_eq(schema.appended.bytes, 0);
	ck_assert(!appended__has(&schema, 7));
	ck_assert(!appended__has(&schema, 8));
	ck_assert(appended__has(&schema, 9));
	fields[0].name = "payload";
	appended__init(&schema);
	ck_assert_str_eq(schema.appended.name, "payload_");
}
END_TEST

/* An array without a size has all bytes up to the event's end. */
START_TEST(test_open_array)
{
	schema.appended = (struct peat_field){ 0 };
	fields[2].bytes = 0;
	appended__init(&schema);
	ck_assert_ptr_null(schema.appended.name);
	ck_assert(!appended__has(&schema, 100));
	ck_assert_uint_eq(appended__trim(&schema, "", 100), 100);
}
END_TEST

static uint32_t trimmed(uint16_t pkt_len, uint16_t cap_len, uint32_t bytes)
{
	unsigned char event[128] = { 0 };
	struct packet packet = { 1, pkt_len, cap_len };

	memcpy(event, &packet, sizeof(packet));
	return appended__trim(&schema, event, bytes);
}

/* Fewer than 8 bytes are padding, whatever the members say, of a program that may append none. */
START_TEST(test_padding_alone)
{
	ck_assert_uint_eq(trimmed(0, 0, 4), 4);
	for (uint32_t bytes = 8; bytes < 16; bytes++)
		ck_assert_uint_eq(trimmed(4, 12, bytes), 8);
	ck_assert_uint_eq(trimmed(0, 0, 16), 16);
	ck_assert_uint_eq(appended__trim(NULL, "", 20), 20);
}
END_TEST

/* If the program is known to append bytes, the struct may have the length of a few. */
START_TEST(test_short_payload)
{
	schema.expects_appended = true;
	ck_assert_uint_eq(trimmed(1500, 5, 15), 13);
	ck_assert_uint_eq(trimmed(1500, 7, 15), 15);
	ck_assert_uint_eq(trimmed(4, 0, 12), 8);
	ck_assert_uint_eq(trimmed(1500, 4, 12), 12);
	ck_assert_uint_eq(trimmed(1500, 60, 12), 8); /* no length fits: padding */
	ck_assert_uint_eq(trimmed(1500, 60, 8), 8);
}
END_TEST

START_TEST(test_length_in_a_member)
{
	static const struct {
		uint16_t pkt_len, cap_len;
		uint32_t bytes, size;
	} cases[] = {
		{ 60, 60, 75, 68 },	/* of the appended bytes */
		{ 1500, 60, 68, 68 },	/* no padding */
		{ 64, 60, 75, 68 },	/* the part that was appended */
		{ 64, 60, 76, 72 },	/* 60 is too little for 76 bytes */
		{ 105, 100, 108, 108 }, /* 105 is not the size of the event */
		{ 1500, 1500, 76, 76 }, { 0, 0, 76, 76 }, { 52, 52, 76, 76 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(trimmed(cases[i].pkt_len, cases[i].cap_len, cases[i].bytes) ==
				      cases[i].size,
			      "case %zu", i);
}
END_TEST

static const char *text_of(uint32_t bytes)
{
	static char text[512];
	struct strbuf out = { 0 };
	unsigned char event[128];

	for (uint32_t i = 0; i < sizeof(event); i++)
		event[i] = (unsigned char)i;
	field_text__append_appended(&out, &schema, event, bytes);
	memcpy(text, out.bytes ? out.bytes : "", out.count);
	text[out.count] = '\0';
	strbuf__free(&out);
	return text;
}

/* With their number; the first 64 are printed. */
START_TEST(test_prints_first_64_bytes)
{
	char expected[512] = " payload_bytes=65 payload=";

	ck_assert_str_eq(text_of(8), "");
	ck_assert_str_eq(text_of(10), " payload_bytes=2 payload=0809");
	for (unsigned i = 8; i < 72; i++)
		sprintf(expected + strlen(expected), "%02x", i);
	strcat(expected, "...");
	ck_assert_str_eq(text_of(73), expected);
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_field_is_after_the_event);
	tcase_add_test(tests, test_open_array);
	tcase_add_test(tests, test_padding_alone);
	tcase_add_test(tests, test_short_payload);
	tcase_add_test(tests, test_length_in_a_member);
	tcase_add_test(tests, test_prints_first_64_bytes);
}
