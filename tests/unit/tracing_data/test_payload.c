// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_payload.c: events become payloads, with formats that describe them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/recording/every_kind.h"
#include "field/appended.h"
#include "support/machine/harness.h"
#include "tracing_data/payload.h"
#include "unit/suite.h"
#include "tracepoint/format_parse.h"

#define ID  40001
#define TID 4242

static struct payload_format format;
static struct trace_format read_back;
static uint8_t *payload;
static uint32_t payload_bytes;
static bool was_cut;

static void teardown(void)
{
	payload__free(&format);
	format_parse__free(&read_back);
	free(payload);
}

/* The format of the schema, written and parsed again. */
static void make(const struct peat_schema *schema)
{
	const char *why;

	payload__free(&format);
	format_parse__free(&read_back);
	ck_assert_int_eq(payload__init(&format, schema, "exec", ID), 0);
	ck_assert_msg(
		!format_parse__text(&read_back, "peat", format.text, format.text_bytes, 8, &why),
		"%s: %.*s", why, (int)format.text_bytes, format.text);
	ck_assert_uint_eq(read_back.id, ID);
	read_back.schema->is_recorded = true; /* addresses are numbers */
}

/* A __data_loc points into the payload, and its strings end there. */
static void check_places(void)
{
	for (uint32_t i = 0; i < read_back.schema->count; i++) {
		const struct peat_field *field = &read_back.schema->fields[i];
		uint32_t where;

		if (field->place != PEAT_PLACE_DATA_LOC)
			continue;
		memcpy(&where, payload + field->offset, sizeof(where));
		ck_assert_uint_ge(where & 0xffff, format.fixed_bytes);
		ck_assert_uint_lt(where & 0xffff, payload_bytes);
		ck_assert_uint_le((where & 0xffff) + (where >> 16), payload_bytes);
		if (field->kind != PEAT_FIELD_STRING)
			continue;
		ck_assert_uint_gt(where >> 16, 0);
		ck_assert_uint_eq(payload[(where & 0xffff) + (where >> 16) - 1], 0);
	}
}

/* Converts an event to a payload, both in memory of exactly their size. */
static void convert_into(const void *data, uint32_t bytes, uint32_t room)
{
	void *copy = malloc(bytes + !bytes);
	int size;

	if (bytes)
		memcpy(copy, data, bytes);
	free(payload);
	payload = malloc(room);
	memset(payload, 0xa5, room);
	size = payload__convert(&format, bytes ? copy : NULL, bytes, TID, payload, room);
	free(copy);
	ck_assert_int_ge(size, 0);
	payload_bytes = (uint32_t)size & PAYLOAD_BYTES;
	was_cut = size & PAYLOAD_CUT;
	ck_assert_uint_le(payload_bytes, room);
	ck_assert_uint_ge(payload_bytes, read_back.schema->bytes);
	check_places();
}

static void convert(const void *data, uint32_t bytes)
{
	convert_into(data, bytes, PAYLOAD_BYTES_MAX);
}

static const struct peat_field *find(const char *name)
{
	uint32_t offset;
	const struct peat_field *field = peat_schema__find(read_back.schema, name, &offset);

	ck_assert_msg(field, "no %s in: %.*s", name, (int)format.text_bytes, format.text);
	return field;
}

static void expect(const char *name, const char *wanted)
{
	char text[1024];

	peat_field__text(find(name), payload, payload_bytes, text, sizeof(text));
	ck_assert_msg(!strcmp(text, wanted), "%s is '%s', not '%s'", name, text, wanted);
}

static bool says(const char *part)
{
	return memmem(format.text, format.text_bytes, part, strlen(part));
}

/* ---- schemas made by hand -------------------------------------------------------------------- */

#define FIELDS_MAX 4096

static struct peat_field fields[FIELDS_MAX];
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
	field->is_signed = kind == PEAT_FIELD_SIGNED || kind == PEAT_FIELD_ERRNO;
	hand.bytes += bytes;
	return field;
}

/* The offset of the next field. */
static struct peat_field *add_array(const char *name, uint32_t count, uint32_t each)
{
	struct peat_field *array = add(name, PEAT_FIELD_ARRAY, count * each);

	array->count = count;
	array->span = 2;
	return array;
}

static struct peat_field *add_element(enum peat_field_kind kind, uint32_t bytes)
{
	struct peat_field *field = add("", kind, bytes);

	field->offset = 0;
	hand.bytes -= bytes;
	return field;
}

/* ---- values ---------------------------------------------------------------------------------- */

START_TEST(test_every_kind)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);
	uint16_t type;
	int32_t pid;

	make(schema);
	convert(event, bytes);
	ck_assert(!was_cut);
	for (const struct every_kind_text *said = every_kind_texts; said->name; said++)
		if (!said->peat || *said->peat)
			expect(said->name, said->peat ? said->peat : said->perf);
	expect("open", "[5 1099511627776]");
	expect("open_count", "2");
	memcpy(&type, payload, sizeof(type));
	memcpy(&pid, payload + 4, sizeof(pid));
	ck_assert_uint_eq(type, ID);
	ck_assert(!payload[2] && !payload[3]);
	ck_assert_int_eq(pid, TID);
	ck_assert_uint_eq(format.left_out, 0);
	ck_assert_uint_eq(format.fields, 68);
	peat_schema__free(schema);
}
END_TEST

/* Cut anywhere, with any contents: each field has its value, or is empty. */
START_TEST(test_trimmed_events_have_empty_fields)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);

	make(schema);
	for (uint32_t there = 0; there <= bytes; there++) {
		convert(event, there);
		ck_assert(!was_cut);
		expect("u64", there < 8 ? "0" : "9223372036854775809");
		expect("s64", there < 16 ? "0" : "-6");
		expect("open_count", there < bytes - 8 ? "0" : there < bytes ? "1" : "2");
		expect("open", there < bytes - 8 ? "[]"
			       : there < bytes	 ? "[5]"
						 : "[5 1099511627776]");
	}
	convert(event, schema->bytes - 3);
	expect("text", "a text");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_trimmed_text)
{
	add("a", PEAT_FIELD_UNSIGNED, 4);
	add("text", PEAT_FIELD_STRING, 16);
	make(&hand);
	convert("\1\0\0\0abcdefghijklmnopq", 20);
	expect("text", "abcdefghijklmnop");
	ck_assert_uint_eq(payload_bytes, 8 + 4 + 4 + 17);
	convert("\1\0\0\0abc", 7);
	expect("text", "abc");
	convert("\1\0\0\0", 4);
	expect("text", "");
	ck_assert_uint_eq(payload_bytes, 8 + 4 + 4 + 1);
	convert("\1\2", 2);
	expect("a", "0");
}
END_TEST

/* Random bytes. */
START_TEST(test_any_bytes)
{
	struct peat_schema *schema = every_kind__schema(true);
	uint8_t event[1024];

	make(schema);
	srand(1);
	for (int i = 0; i < 500; i++) {
		uint32_t bytes = (uint32_t)rand() % sizeof(event);

		for (uint32_t at = 0; at < bytes; at++)
			event[at] = (uint8_t)(rand() % 3 ? rand() : 0);
		convert(event, bytes);
	}
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_joined_strings)
{
	add("args", PEAT_FIELD_STRINGS, 16);
	make(&hand);
	convert("a\0b c\0\0d\0\0\0\0\0\0", 15);
	expect("args", "a b c  d");
	convert("\0\0\0", 3);
	expect("args", "");
	convert("0123456789abcdef", 16);
	expect("args", "0123456789abcdef");
}
END_TEST

/* No byte is lost, and stock perf has a NUL at the end. */
START_TEST(test_chars_keep_all_bytes)
{
	add("data", PEAT_FIELD_CHARS, 8);
	make(&hand);
	ck_assert_int_eq(find("data")->kind, PEAT_FIELD_CHARS);
	convert("a b\0\r\n\xff\0", 8);
	expect("data", "a b\\x00\\r\\n\\xff\\x00");
	ck_assert_uint_eq(payload[payload_bytes - 1], 0);
	convert("ab", 2);
	expect("data", "ab");
	convert("", 0);
	expect("data", "");
}
END_TEST

/* Enums of any size, and values without a name. */
START_TEST(test_names_of_values)
{
	static const struct peat_name names[] = { { 1, "ONE" },
						  { 300, "TOO_LARGE" },
						  { (uint64_t)-2, "MINUS\"\\TWO \n" } };
	struct peat_field *field = add("e", PEAT_FIELD_ENUM, 1);

	field->names = names;
	field->name_count = 3;
	field->is_signed = true;
	field = add("f", PEAT_FIELD_FLAGS, 1);
	field->names = names;
	field->name_count = 2;
	add("nameless", PEAT_FIELD_ENUM, 2);
	add("bare", PEAT_FIELD_FLAGS, 2);
	make(&hand);
	ck_assert(says("e=%s"));
	ck_assert(says("__print_symbolic(REC->e, { 0x1, \"ONE\" }, { 0xfe, \"MINUS__TWO__\" })"));
	ck_assert(says("REC->f ? __print_flags(REC->f, \"|\", { 0x2c, \"TOO_LARGE\" }, "
		       "{ 0x1, \"ONE\" }) : \"0\""));
	ck_assert(says("nameless=%u bare=0x%x"));
	convert("\xfe\1\7\0\7\0", 6);
	expect("e", "MINUS__TWO__");
	expect("f", "ONE");
	expect("nameless", "7");
	expect("bare", "0x7");
	convert("\5\0\0\0\0\0", 6);
	expect("e", "5");
	expect("f", "0");
}
END_TEST

START_TEST(test_results_have_error_names)
{
	struct peat_field *field = add("tiny", PEAT_FIELD_ERRNO, 1);
	const int8_t minus_two = -2;
	uint64_t kernels = (uint64_t)-512;
	uint8_t event[9];

	ck_assert(field->is_signed);
	add("wide", PEAT_FIELD_ERRNO, 8);
	make(&hand);
	ck_assert(says("tiny=%hhd tiny_err=%s wide=%lld wide_err=%s"));
	ck_assert(says("(REC->tiny >> 7) ? __print_symbolic(REC->tiny, { 0xff, \"EPERM\" }"));
	ck_assert(says("{ 0xfffffffffffffe00, \"ERESTARTSYS\" }"));
	memcpy(event, &minus_two, 1);
	memcpy(event + 1, &kernels, 8);
	convert(event, 9);
	expect("tiny", "ENOENT");
	expect("wide", "ERESTARTSYS");
}
END_TEST

/* perf has no bit-fields and no other byte order. */
START_TEST(test_converted_numbers)
{
	struct peat_field *field = add("flag", PEAT_FIELD_UNSIGNED, 4);
	uint32_t bits = 0x7f << 13 | 1;
	uint8_t event[4 + 8 + 4];

	field->bit_offset = 13;
	field->bits = 9;
	field->kind = PEAT_FIELD_SIGNED;
	field->is_signed = true;
	field = add("net", PEAT_FIELD_UNSIGNED, 8);
	field->big_endian = true;
	add_array("ports", 2, 2);
	add_element(PEAT_FIELD_PORT, 2)->big_endian = true;
	make(&hand);
	ck_assert(says("field:s16 flag;\toffset:8;\tsize:2;\tsigned:1;"));
	bits |= 1U << 21;
	memcpy(event, &bits, 4);
	memcpy(event + 4, "\0\0\0\0\0\0\1\2", 8);
	memcpy(event + 12, "\0\x50\1\xbb", 4);
	convert(event, sizeof(event));
	expect("flag", "-129");
	expect("net", "258");
	expect("ports", "[80 443]");
	convert(event, sizeof(event) - 1);
	expect("ports", "[80 0]");
}
END_TEST

/* Members of a union at the same offset are separate fields. */
START_TEST(test_union_members_are_fields)
{
	struct peat_field *field = add("u", PEAT_FIELD_UNION, 8);

	field->span = 4;
	add("text", PEAT_FIELD_STRING, 8)->offset = 0;
	add("net", PEAT_FIELD_UNSIGNED, 4)->offset = 0;
	fields[2].big_endian = true;
	add("host", PEAT_FIELD_BYTES, 4)->offset = 0;
	hand.bytes = 8;
	make(&hand);
	convert("abcdefgh", 8);
	expect("u_text", "abcdefgh");
	expect("u_net", "1633837924");
	expect("u_host", "61626364");
}
END_TEST

/* ---- layout ---------------------------------------------------------------------------------- */

/* Adjacent copied fields keep a small gap; removed fields leave none. */
START_TEST(test_layout_keeps_small_gaps)
{
	add("a", PEAT_FIELD_UNSIGNED, 1);
	hand.bytes = 8;
	add("b", PEAT_FIELD_UNSIGNED, 8);
	add("text", PEAT_FIELD_STRING, 32);
	add("c", PEAT_FIELD_HEX, 8);
	make(&hand);
	ck_assert(says("field:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"
		       "\tfield:u64 b;\toffset:16;\tsize:8;\tsigned:0;\n"
		       "\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:0;\n"
		       "\tfield:void * c;\toffset:24;\tsize:8;\tsigned:0;\n"));
	ck_assert_uint_eq(format.run_count, 2);
	ck_assert_uint_eq(format.fixed_bytes, 36);
}
END_TEST

START_TEST(test_one_copy)
{
	add("number", PEAT_FIELD_UNSIGNED, 8);
	add("check", PEAT_FIELD_UNSIGNED, 8);
	make(&hand);
	ck_assert_uint_eq(format.run_count, 1);
	convert("12345678ABCDEFGH", 16);
	ck_assert_uint_eq(payload_bytes, 24);
	ck_assert_mem_eq(payload + 8, "12345678ABCDEFGH", 16);
}
END_TEST

START_TEST(test_no_fields)
{
	make(&hand);
	convert("", 0);
	ck_assert_uint_eq(payload_bytes, 8);
	ck_assert(says("\nprint fmt: \"\"\n"));
}
END_TEST

START_TEST(test_unknown_events)
{
	const struct peat_field *field;

	make(NULL);
	convert("\x01\xff\x20", 3);
	expect("bytes", "01ff20");
	field = find("bytes");
	ck_assert_uint_eq(field->kind, PEAT_FIELD_STRING);
	convert("", 0);
	expect("bytes", "");
}
END_TEST

/* The last field may be trimmed: as an array it would be mostly zeros. */
START_TEST(test_bytes_at_the_end)
{
	add("head", PEAT_FIELD_BYTES, 100);
	add("data", PEAT_FIELD_BYTES, 100);
	make(&hand);
	ck_assert(says("field:uint8_t head[100];"));
	ck_assert(says("field:__data_loc char[] data;"));
	ck_assert(says("__print_hex(REC->head, 100), __get_str(data)"));
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

/* Bytes after the struct have a field if they are expected; otherwise they are missing. */
START_TEST(test_appended_bytes)
{
	unsigned char event[40] = { 1, 0, 0, 0, 0x45, 0, 0, 0x54 };

	add("ifindex", PEAT_FIELD_UNSIGNED, 4);
	appended__init(&hand);
	make(&hand);
	ck_assert(!says("payload"));
	convert(event, 4 + APPENDED_PADDING_MAX);
	ck_assert(!was_cut);
	convert(event, 4 + APPENDED_PADDING_MAX + 1);
	ck_assert(was_cut);
	hand.expects_appended = true;
	make(&hand);
	convert(event, 4);
	expect("payload", "");
	convert(event, 8);
	ck_assert(!was_cut);
	expect("ifindex", "1");
	expect("payload", "45000054");
}
END_TEST

START_TEST(test_long_text_is_cut)
{
	static uint8_t event[65535];

	memset(event, 'x', sizeof(event));
	add("text", PEAT_FIELD_STRING, 65000);
	add("behind", PEAT_FIELD_STRING, 100);
	make(&hand);
	convert(event, 65100);
	ck_assert(was_cut);
	ck_assert_uint_eq(payload_bytes, PAYLOAD_BYTES_MAX);
	expect("behind", "");
	event[40000] = 0;
	convert(event, 65100);
	ck_assert(!was_cut);
	ck_assert_uint_eq(payload_bytes, 8 + 8 + 40001 + 101);
	convert_into(event, 65100, 8 + 8 + 2);
	ck_assert(was_cut);
	expect("text", "");
	ck_assert_int_eq(payload__convert(&format, event, 65100, TID, payload, 8 + 8 + 1), -ENOSPC);
}
END_TEST

START_TEST(test_cut_rows)
{
	static uint8_t event[65535];

	add("bytes", PEAT_FIELD_BYTES, 0);
	make(&hand);
	convert(event, sizeof(event));
	ck_assert(was_cut);
	ck_assert_uint_eq(payload_bytes, PAYLOAD_BYTES_MAX - 1);
	hand.count = hand.bytes = 0;
	add_array("numbers", 0, 8);
	add_element(PEAT_FIELD_UNSIGNED, 8);
	make(&hand);
	convert(event, 60001);
	ck_assert(was_cut);
	expect("numbers_count", "7498");
	convert(event, 7);
	ck_assert(!was_cut);
	expect("numbers", "[]");
}
END_TEST

START_TEST(test_too_many_fields)
{
	static char names[FIELDS_MAX][16];

	for (int i = 0; i < 3000; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i);
		add(names[i], PEAT_FIELD_UNSIGNED, 1);
	}
	make(&hand);
	ck_assert_uint_eq(format.fields, 2000);
	ck_assert_uint_eq(format.left_out, 1000);
	ck_assert_uint_eq(read_back.schema->count, 2000);
}
END_TEST

/* As many as can be parsed again, which make() checks. */
START_TEST(test_too_many_texts)
{
	for (int i = 0; i < 200; i++) {
		add("s", PEAT_FIELD_STRING, 8);
		add_array("a", 0, 4);
		add_element(PEAT_FIELD_UNSIGNED, 4);
	}
	make(&hand);
	ck_assert_uint_eq(format.left_out, 2 * 200 - 120);
}
END_TEST

START_TEST(test_too_large_fields)
{
	uint8_t event[65000] = { 0 };

	add("a", PEAT_FIELD_UNSIGNED, 4);
	add("large", PEAT_FIELD_BYTES, 64000);
	add("b", PEAT_FIELD_UNSIGNED, 4);
	make(&hand);
	ck_assert_uint_eq(format.left_out, 1);
	event[64004] = event[64005] = event[64006] = event[64007] = 1;
	convert(event, 64008);
	expect("b", "16843009");
	ck_assert_uint_eq(payload_bytes, 8 + 4 + 4);
}
END_TEST

/* Each level has eight of the next. */
START_TEST(test_arrays_of_structs_of_arrays)
{
	uint32_t bytes = 8 * 8 * 8 * 8;

	for (int i = 0; i < 4; i++) {
		add_array(i ? "inner" : "outer", 8, bytes / 8)->offset = 0;
		fields[2 * i].span = 9 - 2 * (uint32_t)i;
		bytes /= 8;
		add("", PEAT_FIELD_STRUCT, bytes)->offset = 0;
		fields[2 * i + 1].span = 8 - 2 * (uint32_t)i;
	}
	add("x", PEAT_FIELD_UNSIGNED, 1)->offset = 0;
	hand.bytes = 8 * 8 * 8 * 8;
	make(&hand);
	ck_assert_uint_eq(format.fields, 1);
	ck_assert(says("field:uint8_t outer[4096];"));
	hand.bytes = 8 * 8 * 8;
	fields[0].kind = PEAT_FIELD_STRUCT;
	fields[0].bytes = 512;
	make(&hand);
	ck_assert_uint_eq(format.fields, 512);
	ck_assert(says("field:u8 outer_inner_7_inner_7_inner_7_x;"));
}
END_TEST

START_TEST(test_ids_are_bounded)
{
	ck_assert_int_eq(payload__init(&format, NULL, "x", 39999), -EINVAL);
	ck_assert_int_eq(payload__init(&format, NULL, "x", 65535), -EINVAL);
	ck_assert_int_eq(payload__init(&format, NULL, "x", 65534), 0);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

/* Names that perf reserves, and names that are not identifiers. */
START_TEST(test_reserved_names)
{
	static const char *const names[] = { "comm",   "timestamp", "callchain", "period",
					     "lambda", "REC",	    "print",	 "common_pid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add(names[i], PEAT_FIELD_UNSIGNED, 4);
	add("9$-", PEAT_FIELD_UNSIGNED, 4);
	add("a", PEAT_FIELD_UNSIGNED, 4);
	add("a", PEAT_FIELD_UNSIGNED, 4);
	add("", PEAT_FIELD_UNSIGNED, 4);
	make(&hand);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s_", names[i]);
		find(name);
	}
	find("_9__");
	find("a");
	find("a_");
	find("_");
}
END_TEST

START_TEST(test_names_of_events)
{
	payload__free(&format);
	ck_assert_int_eq(payload__init(&format, NULL, "my-event\n\xc3", ID), 0);
	ck_assert(!strncmp(format.text, "name: my_event__\nID: 40001\nformat:\n", 35));
	payload__free(&format);
	ck_assert_int_eq(payload__init(&format, NULL, "", ID), 0);
	ck_assert(!strncmp(format.text, "name: _\n", 8));
}
END_TEST

/* perf report reads the value after the first word that begins like a field. */
START_TEST(test_order_of_labels)
{
	add("line", PEAT_FIELD_STRING, 8);
	add("pid_ns", PEAT_FIELD_UNSIGNED, 4);
	add("rows", PEAT_FIELD_BYTES, 4);
	add("pid", PEAT_FIELD_UNSIGNED, 4);
	add("lines", PEAT_FIELD_UNSIGNED, 4);
	add("p", PEAT_FIELD_UNSIGNED, 4);
	add("file", PEAT_FIELD_STRING, 8);
	make(&hand);
	ck_assert(says("\"p=%u pid_=%u pid_ns=%u rows=%s file=%s line=%s lines=%u\""));
	hand.count = hand.bytes = 0;
	add("took_us", PEAT_FIELD_UNSIGNED, 4);
	add("took", PEAT_FIELD_DURATION, 8);
	make(&hand);
	ck_assert(says("\"took=%llu took_us=%u took_us_=%llu.%03llu\""));
}
END_TEST

/* Many equal names of maximal length. */
START_TEST(test_many_equal_names)
{
	char name[500];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 500; i++)
		add(name, PEAT_FIELD_UNSIGNED, 1);
	ck_assert_int_eq(payload__init(&format, &hand, "x", ID), 0);
	ck_assert_uint_eq(format.fields, 500);
	ck_assert_uint_lt(format.text_bytes, 1000000);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_every_kind);
	tcase_add_test(tests, test_trimmed_events_have_empty_fields);
	tcase_add_test(tests, test_trimmed_text);
	tcase_add_test(tests, test_any_bytes);
	tcase_add_test(tests, test_joined_strings);
	tcase_add_test(tests, test_chars_keep_all_bytes);
	tcase_add_test(tests, test_names_of_values);
	tcase_add_test(tests, test_results_have_error_names);
	tcase_add_test(tests, test_converted_numbers);
	tcase_add_test(tests, test_union_members_are_fields);
	tcase_add_test(tests, test_layout_keeps_small_gaps);
	tcase_add_test(tests, test_one_copy);
	tcase_add_test(tests, test_no_fields);
	tcase_add_test(tests, test_unknown_events);
	tcase_add_test(tests, test_bytes_at_the_end);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_long_text_is_cut);
	tcase_add_test(tests, test_cut_rows);
	tcase_add_test(tests, test_too_many_fields);
	tcase_add_test(tests, test_too_many_texts);
	tcase_add_test(tests, test_too_large_fields);
	tcase_add_test(tests, test_arrays_of_structs_of_arrays);
	tcase_add_test(tests, test_ids_are_bounded);
	tcase_add_test(tests, test_reserved_names);
	tcase_add_test(tests, test_names_of_events);
	tcase_add_test(tests, test_order_of_labels);
	tcase_add_test(tests, test_many_equal_names);
}
