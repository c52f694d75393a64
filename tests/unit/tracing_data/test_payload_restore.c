// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_payload_restore.c: payloads become the events that they were made of. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/sink.h>

#include "field/appended.h"
#include "print/json.h"
#include "support/machine/harness.h"
#include "support/recording/every_kind.h"
#include "tracing_data/payload.h"
#include "unit/suite.h"

#define ID	    40001
#define TID	    4242
#define PADDED_MOST 7

static struct payload_format format;
static struct peat_sink *json;
static uint8_t payload[PAYLOAD_BYTES_MAX], restored[65536];
static int payload_bytes;

static void setup(void)
{
	const struct peat_sink_opts opts = { .sz = sizeof(opts) };

	json = json__new(STDOUT_FILENO, &opts);
	ck_assert_ptr_nonnull(json);
}

static void teardown(void)
{
	payload__free(&format);
	peat_sink__free(json);
}

static void make(const struct peat_schema *schema, bool is_exact)
{
	payload__free(&format);
	ck_assert_int_eq(payload__init(&format, schema, "exec", ID), 0);
	format.is_exact = is_exact;
}

static char *print(const struct peat_schema *schema, const void *data, uint32_t bytes)
{
	const struct peat_event event = {
		.kind = PEAT_EVENT_DATA, .schema = schema, .data = data, .size = bytes
	};
	struct strbuf out = { 0 };

	ck_assert_int_eq(json__append(json, &event, &out), 0);
	strbuf__char(&out, '\0');
	ck_assert(!out.failed);
	return out.bytes;
}

/* Payloads and events are in memory of exactly their size. */
static int restore(const void *from, uint32_t bytes)
{
	uint8_t *copy = memcpy(malloc(bytes + !bytes), bytes ? from : "", bytes);
	int size;

	memset(restored, 0xa5, sizeof(restored));
	size = payload__restore(&format, copy, bytes, restored, sizeof(restored));
	free(copy);
	return size;
}

static void convert(const void *data, uint32_t bytes, uint32_t room)
{
	payload_bytes = payload__convert(&format, data, bytes, TID, payload, room);
	ck_assert_int_gt(payload_bytes, 0);
	payload_bytes &= PAYLOAD_BYTES;
}

static void check_same(const void *data, uint32_t bytes)
{
	char *wanted = print(format.schema, data, bytes), *text;
	int size;

	convert(data, bytes, sizeof(payload));
	size = restore(payload, (uint32_t)payload_bytes);
	ck_assert_int_eq(size, (int)bytes);
	text = print(format.schema, restored, (uint32_t)size);
	ck_assert_str_eq(text, wanted);
	free(text);
	free(wanted);
}

/*
 * Whether the event ends in its union: perf sees 0 for the number that is cut, which also clears
 * the bytes that the union's other member has of it.
 */
static bool ends_in_union(const struct peat_schema *schema, uint32_t bytes)
{
	const struct peat_field *field = peat_schema__find(schema, "value", NULL);

	return bytes > field->offset && bytes < field->offset + field->bytes;
}

/* ---- schemas made by hand -------------------------------------------------------------------- */

static struct peat_field fields[16];
static struct peat_schema hand = { .name = "hand", .fields = fields, .stacks_fd = -1 };

static struct peat_field *add(const char *name, enum peat_field_kind kind, uint32_t bytes)
{
	struct peat_field *field = &fields[hand.count++];

	*field = (struct peat_field){ .name = name,
				      .kind = kind,
				      .span = 1,
				      .offset = hand.bytes,
				      .bytes = bytes,
				      .schema = &hand };
	hand.bytes += bytes;
	return field;
}

/* ---- events ---------------------------------------------------------------------------------- */

START_TEST(test_every_kind)
{
	struct peat_schema *schema = every_kind__schema(_i);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);

	make(schema, true);
	for (uint32_t there = _i ? bytes : schema->bytes; there; there--)
		if (!ends_in_union(schema, there))
			check_same(event, there);
	check_same(event, 0);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_any_bytes)
{
	struct peat_schema *schema = every_kind__schema(true);
	static uint8_t event[1024];

	make(schema, true);
	srand(1);
	for (int i = 0; i < 2000; i++) {
		uint32_t bytes = (uint32_t)rand() % sizeof(event);

		for (uint32_t at = 0; at < bytes; at++)
			event[at] = (uint8_t)(rand() % 3 ? " \0a0"[rand() % 4] : rand());
		if (!ends_in_union(schema, bytes))
			check_same(event, bytes);
	}
	peat_schema__free(schema);
}
END_TEST

/* Most events have nothing after their fields. */
START_TEST(test_whole_events_have_no_rest)
{
	add("number", PEAT_FIELD_UNSIGNED, 8);
	add("text", PEAT_FIELD_STRING, 8);
	make(&hand, true);
	convert("12345678ab c\0\0\0\0", 16, sizeof(payload));
	ck_assert_int_eq(payload_bytes, 8 + 8 + 4 + 5);
	check_same("12345678ab c\0\0\0\0", 16);
	hand.count = 1;
	hand.bytes = 8;
	make(&hand, true);
	check_same("12345678", 8);
	ck_assert_int_eq(payload_bytes, 16);
	check_same("1234567", 7);
}
END_TEST

/* perf has blanks between strings. */
START_TEST(test_several_strings)
{
	add("first", PEAT_FIELD_STRINGS, 16);
	add("text", PEAT_FIELD_STRING, 8);
	add("second", PEAT_FIELD_STRINGS, 24);
	make(&hand, true);
	check_same(
		"a b\0c d\0\0e \0\0\0\0x y\0\0\0\0\0 1\0 2 3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
		48);
	ck_assert_ptr_nonnull(memmem(payload, (size_t)payload_bytes, "a b c d  e ", 11));
	check_same("sh\0-c\0a b c\0\0\0\0\0z\0\0\0\0\0\0\0"
		   "one\0two\0three\0four\0five",
		   48);
}
END_TEST

/* Absent fields have no bytes in the payload, where the event may seem to end in the last one. */
START_TEST(test_absent_fields)
{
	static const uint8_t event[24] = "\1\0\0\0abc\0"
					 "12345678"
					 "\1\2\3\4\5\6\7";
	struct peat_field *has = add("has", PEAT_FIELD_UNSIGNED, 4);

	add("text", PEAT_FIELD_STRING, 4)->presence = has;
	add("number", PEAT_FIELD_PORT, 8)->presence = has;
	hand.bytes = 16;
	fields[2].big_endian = true;
	add("last", PEAT_FIELD_CHARS, 8)->presence = has;
	for (int is_exact = 0; is_exact < 2; is_exact++) {
		uint8_t absent[24] = { 0 };

		make(&hand, is_exact);
		check_same(event, 24);
		check_same(absent, 24);
		memcpy(absent + 4, event + 4, 20);
		check_same(absent, 24);
	}
	check_same(event, 20);
	check_same(event, 16);
}
END_TEST

/* A number of the union that is not there in full overwrites no other member. */
START_TEST(test_members_of_unions)
{
	add("u", PEAT_FIELD_UNION, 8)->span = 4;
	hand.bytes = 0;
	add("text", PEAT_FIELD_STRING, 8)->offset = 0;
	add("net", PEAT_FIELD_UNSIGNED, 4)->offset = 0;
	add("host", PEAT_FIELD_BYTES, 8)->offset = 0;
	fields[2].big_endian = true;
	hand.bytes = 8;
	make(&hand, true);
	for (uint32_t bytes = 0; bytes <= 8; bytes++) {
		check_same("abcdefgh", bytes);
		check_same("ab\0 cd\0e", bytes);
	}
}
END_TEST

/* perf has no field for them. */
START_TEST(test_appended_bytes)
{
	static const char packet[] = "\1\0\0\0a packet of 22 bytes";

	add("a", PEAT_FIELD_UNSIGNED, 4);
	appended__init(&hand);
	for (int expected = 0; expected < 2; expected++) {
		hand.expects_appended = expected;
		make(&hand, true);
		for (uint32_t bytes = 0; bytes <= sizeof(packet); bytes++)
			check_same(packet, bytes);
	}
}
END_TEST

/* Recordings of peat before 0.3, and those that others wrote again. */
START_TEST(test_payloads_without_rest)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);
	char *wanted = print(schema, event, bytes), *text;

	make(schema, false);
	convert(event, bytes, sizeof(payload));
	memset(payload + payload_bytes, 0, PADDED_MOST);
	for (int padding = 0; padding <= PADDED_MOST; padding++) {
		ck_assert_int_eq(restore(payload, (uint32_t)(payload_bytes + padding)), bytes);
		text = print(schema, restored, bytes);
		*strstr(wanted, "\"args\"") = '\0';
		text[strlen(wanted)] = '\0';
		ck_assert_str_eq(text, wanted);
		wanted[strlen(wanted)] = '"';
		free(text);
	}
	free(wanted);
	peat_schema__free(schema);
}
END_TEST

/* The event ends where its last field was cut; one that misses fields before others is no event. */
START_TEST(test_cut_payloads)
{
	static char event[70];

	add("a", PEAT_FIELD_UNSIGNED, 4);
	add("text", PEAT_FIELD_STRING, 30);
	add("chars", PEAT_FIELD_CHARS, 36);
	make(&hand, true);
	memset(event, 'x', sizeof(event));
	convert(event, sizeof(event), 8 + 4 + 4 + 4 + 31 + 20 + 3);
	ck_assert_int_eq(restore(payload, (uint32_t)payload_bytes), 4 + 30 + 19);
	ck_assert_mem_eq(restored, event, 4 + 30 + 19);
	convert(event, sizeof(event), 8 + 4 + 4 + 4 + 11 + 3);
	ck_assert_int_eq(restore(payload, (uint32_t)payload_bytes), -ENODATA);
	convert(event, 34, 8 + 4 + 4 + 4 + 11 + 3);
	ck_assert_int_eq(restore(payload, (uint32_t)payload_bytes), 4 + 9);
	ck_assert_mem_eq(restored, event, 4 + 9);
	ck_assert_int_eq(payload__convert(&format, event, sizeof(event), TID, payload,
					  8 + 4 + 4 + 4 + 2 + 2),
			 -ENOSPC);
}
END_TEST

/* Any room: fields are cut, and the blanks of those after them have bits. */
START_TEST(test_any_room)
{
	struct peat_schema *schema = every_kind__schema(_i);
	static uint8_t event[1024];
	uint32_t least;

	make(schema, true);
	least = format.fixed_bytes + format.tail_count + 3;
	srand(1);
	for (uint32_t room = least; room < least + 1200; room++) {
		uint32_t bytes = schema->bytes + (uint32_t)rand() % 300;
		uint8_t *copy = malloc(bytes);
		int size;

		for (uint32_t at = 0; at < bytes; at++)
			event[at] = (uint8_t)(rand() % 3 ? " \0a0"[rand() % 4] : rand());
		memcpy(copy, event, bytes);
		convert(copy, bytes, room);
		ck_assert_int_le(payload_bytes, (int)room);
		size = restore(payload, (uint32_t)payload_bytes);
		ck_assert(size == -ENODATA || (size >= 0 && size <= (int)bytes));
		free(copy);
	}
	peat_schema__free(schema);
}
END_TEST

/* A cut array of words leaves up to 7 bytes of room, which a text of the same bytes gets. */
START_TEST(test_strings_beside_a_cut_array)
{
	static const char event[24] = "zzzza b\0c";

	add("words", PEAT_FIELD_ARRAY, 0)->span = 2;
	add("", PEAT_FIELD_UNSIGNED, 8)->offset = 0;
	hand.bytes = 4;
	add("inner", PEAT_FIELD_STRUCT, 20)->span = 2;
	add("text", PEAT_FIELD_STRINGS, 20)->offset = 0;
	hand.bytes = 24;
	make(&hand, true);
	ck_assert_uint_eq(format.tail_count, 2);
	convert(event, sizeof(event), format.fixed_bytes + 7 + 1 + 3);
	ck_assert_uint_eq((uint32_t)payload_bytes, format.fixed_bytes + 1 + 6 + 3 + 1);
	ck_assert_int_eq(payload[payload_bytes - 1], 2); /* a blank, and a NUL */
}
END_TEST

/* The last field was cut by an older recorder, which states no size. */
START_TEST(test_cut_payloads_without_rest)
{
	static const char event[] = "12345678abcdefghijklmnop";

	for (int kind = 0; kind < 2; kind++) {
		hand.count = hand.bytes = 0;
		add("number", PEAT_FIELD_UNSIGNED, 8);
		add("bytes", kind ? PEAT_FIELD_BYTES : PEAT_FIELD_CHARS, 16);
		make(&hand, false);
		for (uint32_t bytes = 8; bytes <= 24; bytes++) {
			convert(event, bytes, sizeof(payload));
			ck_assert_int_eq(restore(payload, (uint32_t)payload_bytes),
					 format.tail_count ? (int)bytes : 24);
			ck_assert_mem_eq(restored, event, bytes);
		}
	}
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------------- */

/* Any change of any byte, any length: an event within its memory, or an error. */
START_TEST(test_damaged_payloads)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes, most;
	const void *event = every_kind__event(&bytes);

	make(schema, true);
	convert(event, bytes - 5, sizeof(payload));
	most = (uint32_t)payload_bytes;
	for (uint32_t length = 0; length < most; length++) {
		int size = restore(payload, length);

		ck_assert(size == -EBADMSG || size >= 0);
		ck_assert(length >= format.fixed_bytes || size == -EBADMSG);
	}
	for (uint32_t at = 0; at < most; at++) {
		uint8_t was = payload[at];

		for (int with = 0; with < 256; with += 15) {
			int size;
			char *text;

			payload[at] = (uint8_t)with;
			size = restore(payload, most);
			ck_assert(size == -EBADMSG || (size >= 0 && size <= UINT16_MAX));
			text = print(schema, restored, size > 0 ? (uint32_t)size : 0);
			free(text);
		}
		payload[at] = was;
	}
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_little_room)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);

	make(schema, true);
	convert(event, bytes, sizeof(payload));
	for (uint32_t room = 0; room <= bytes; room++) {
		uint8_t *out = malloc(room + !room);
		int size = payload__restore(&format, payload, (uint32_t)payload_bytes, out, room);

		ck_assert_int_eq(size, room < bytes ? -ENOSPC : (int)bytes);
		free(out);
	}
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_formats_without_all_fields)
{
	make(NULL, true);
	ck_assert_int_eq(restore("12345678abcd", 12), -ENOTSUP);
	add("large", PEAT_FIELD_BYTES, 61000);
	add("a", PEAT_FIELD_UNSIGNED, 4);
	make(&hand, true);
	ck_assert_uint_eq(format.left_out, 1);
	ck_assert_int_eq(restore("12345678abcd", 12), -ENOTSUP);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_every_kind, 0, 2);
	tcase_add_test(tests, test_any_bytes);
	tcase_add_test(tests, test_whole_events_have_no_rest);
	tcase_add_test(tests, test_several_strings);
	tcase_add_test(tests, test_absent_fields);
	tcase_add_test(tests, test_members_of_unions);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_payloads_without_rest);
	tcase_add_test(tests, test_cut_payloads);
	tcase_add_loop_test(tests, test_any_room, 0, 2);
	tcase_add_test(tests, test_strings_beside_a_cut_array);
	tcase_add_test(tests, test_cut_payloads_without_rest);
	tcase_add_test(tests, test_damaged_payloads);
	tcase_add_test(tests, test_little_room);
	tcase_add_test(tests, test_formats_without_all_fields);
}
