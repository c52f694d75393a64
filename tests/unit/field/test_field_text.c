// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_field_text.c: fields as text for humans. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "field/field_text.h"

#include "support/machine/harness.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

/* At most `room` bytes of the text of a field alone. */
static void check(const struct peat_field *field, const void *data, size_t bytes,
		  const char *wanted)
{
	char *copy =
		memcpy(malloc(bytes + !bytes), data, bytes); /* the sanitizer watches its end */
	char text[512];

	ck_assert_uint_eq(peat_field__text(field, copy, (uint32_t)bytes, text, sizeof(text)),
			  strlen(wanted));
	ck_assert_str_eq(text, wanted);
	free(copy);
}

static void check_quoted(const struct peat_field *field, const void *data, size_t bytes,
			 const char *wanted)
{
	struct strbuf out = { 0 };

	field_text__append_quoted(&out, field, data, (uint32_t)bytes, SYMBOLS_ALL);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

static struct peat_field a_field(enum peat_field_kind kind, uint32_t bytes)
{
	return (struct peat_field){ .name = "x", .kind = kind, .span = 1, .bytes = bytes };
}

static void check_u64(enum peat_field_kind kind, uint64_t value, const char *wanted)
{
	struct peat_field field = a_field(kind, 8);

	check(&field, &value, sizeof(value), wanted);
}

static void check_s64(enum peat_field_kind kind, int64_t value, const char *wanted)
{
	struct peat_field field = a_field(kind, 8);

	field.is_signed = true;
	check(&field, &value, sizeof(value), wanted);
}

START_TEST(test_stacks_at_the_end)
{
	struct peat_field field = a_field(PEAT_FIELD_STACK, 0);
	const struct {
		uint16_t lengths[4];
		uint64_t words[3];
	} data = { { 8, 16, 0, 0 }, { 1, 2, 3 } };
	char text[64];

	peat_field__text(&field, &data, sizeof(data), text, sizeof(text));
	ck_assert_str_eq(text, "[0x1 0x2 0x3]");
	peat_field__text(&field, &data, sizeof(data) - 1, text, sizeof(text));
	ck_assert_str_eq(text, "[]");
	peat_field__text(&field, &data, 7, text, sizeof(text));
	ck_assert_str_eq(text, "[]");
}
END_TEST

START_TEST(test_prints_numbers)
{
	struct peat_field bits = a_field(PEAT_FIELD_SIGNED, 2), wide = a_field(PEAT_FIELD_HEX, 16);
	uint16_t packed = 0x1f << 3;

	check_u64(PEAT_FIELD_UNSIGNED, UINT64_MAX, "18446744073709551615");
	check_s64(PEAT_FIELD_SIGNED, INT64_MIN, "-9223372036854775808");
	check_u64(PEAT_FIELD_HEX, UINT64_MAX, "0xffffffffffffffff");
	check_u64(PEAT_FIELD_HEX, 0, "0x0");
	check_u64(PEAT_FIELD_BOOL, 2, "true");
	check_u64(PEAT_FIELD_BOOL, 0, "false");
	bits.bit_offset = 3;
	bits.bits = 5;
	bits.is_signed = true;
	check(&bits, &packed, 2, "-1");
	check(&wide, "0123456789abcdef", 16, "30313233343536373839616263646566");
}
END_TEST

START_TEST(test_prints_floats)
{
	struct peat_field field = a_field(PEAT_FIELD_FLOAT, 8),
			  single = a_field(PEAT_FIELD_FLOAT, 4);
	struct peat_field odd = a_field(PEAT_FIELD_FLOAT, 2);
	const unsigned char big[] = { 0x3f, 0xc0, 0, 0 };
	double value = -1234.5, infinite = -INFINITY;
	float half = 0.5f;

	check(&field, &value, 8, "-1234.5");
	check(&field, &infinite, 8, "-inf");
	check(&single, &half, 4, "0.5");
	check(&odd, "\x01\x02", 2, "0102");
	check(&field, &value, 7, "-");
	single.big_endian = true;
	check(&single, big, 4, "1.5");
}
END_TEST

static const struct peat_name states[] = {
	{ 0, "IDLE" }, { 2, "BUSY" }, { 2, "ALIAS" }, { UINT64_MAX, "NEG" }
};
static const struct peat_name bits[] = { { 0, "NONE" }, { 1, "A" }, { 2, "B" },
					 { 3, "AB" },	{ 8, "D" }, { 0xffffffff80000000, "TOP" } };

START_TEST(test_prints_enums)
{
	struct peat_field field = a_field(PEAT_FIELD_ENUM, 4);

	field.is_signed = true;
	field.names = states;
	field.name_count = 4;
	check(&field, &(int){ 0 }, 4, "IDLE");
	check(&field, &(int){ 2 }, 4, "BUSY");
	check(&field, &(int){ -1 }, 4, "NEG");
	check(&field, &(int){ 1 }, 4, "1");
	check(&field, &(int){ -2 }, 4, "-2");
	field.is_signed = false;
	check(&field, &(int){ -1 }, 4, "4294967295");
	field.name_count = 0;
	check(&field, &(int){ 0 }, 4, "0");
}
END_TEST

START_TEST(test_prints_flags)
{
	struct peat_field field = a_field(PEAT_FIELD_FLAGS, 4);

	field.names = bits;
	field.name_count = 6;
	check(&field, &(uint32_t){ 1 | 8 }, 4, "A|D");
	check(&field, &(uint32_t){ 3 }, 4, "AB");
	check(&field, &(uint32_t){ 3 | 8 | 0x80 }, 4, "AB|D|0x80");
	check(&field, &(uint32_t){ 0x80000002 }, 4, "B|TOP");
	check(&field, &(uint32_t){ 0x40 }, 4, "0x40");
	check(&field, &(uint32_t){ 0 }, 4, "NONE");
	field.names = bits + 1;
	field.name_count = 5;
	check(&field, &(uint32_t){ 0 }, 4, "0");
}
END_TEST

START_TEST(test_many_flags)
{
	struct peat_name names[64];
	struct peat_field field = a_field(PEAT_FIELD_FLAGS, 8);
	char wanted[129] = "";

	for (int i = 0; i < 64; i++) {
		names[i] = (struct peat_name){ 1ULL << i, "x" };
		strcat(wanted, i ? "|x" : "x");
	}
	field.names = names;
	field.name_count = 64;
	check(&field, &(uint64_t){ UINT64_MAX }, 8, wanted);
}
END_TEST

START_TEST(test_errnos_and_signals)
{
	struct peat_field unsign = a_field(PEAT_FIELD_ERRNO, 4);

	check_s64(PEAT_FIELD_ERRNO, 0, "0");
	check_s64(PEAT_FIELD_ERRNO, 3, "3");
	check_s64(PEAT_FIELD_ERRNO, -2, "ENOENT");
	check_s64(PEAT_FIELD_ERRNO, -512, "ERESTARTSYS");
	check_s64(PEAT_FIELD_ERRNO, -520, "-520");
	check_s64(PEAT_FIELD_ERRNO, -524, "ENOTSUPP");
	check_s64(PEAT_FIELD_ERRNO, -4096, "-4096");
	check_s64(PEAT_FIELD_ERRNO, INT64_MIN, "-9223372036854775808");
	check(&unsign, &(int){ -2 }, 4, "4294967294");
	check_u64(PEAT_FIELD_SIGNAL, 15, "SIGTERM");
	check_u64(PEAT_FIELD_SIGNAL, 0, "0");
	check_u64(PEAT_FIELD_SIGNAL, 32, "32");
	check_u64(PEAT_FIELD_SIGNAL, 34, "SIGRTMIN");
	check_u64(PEAT_FIELD_SIGNAL, 35, "SIGRTMIN+1");
	check_u64(PEAT_FIELD_SIGNAL, 65, "65");
	check_u64(PEAT_FIELD_SIGNAL, UINT64_MAX, "18446744073709551615");
}
END_TEST

START_TEST(test_prints_durations)
{
	check_u64(PEAT_FIELD_DURATION, 0, "0ns");
	check_u64(PEAT_FIELD_DURATION, 17, "17ns");
	check_u64(PEAT_FIELD_DURATION, 999, "999ns");
	check_u64(PEAT_FIELD_DURATION, 1000, "1us");
	check_u64(PEAT_FIELD_DURATION, 1234, "1.234us");
	check_u64(PEAT_FIELD_DURATION, 1500000, "1.5ms");
	check_u64(PEAT_FIELD_DURATION, 12345678, "12.35ms");
	check_u64(PEAT_FIELD_DURATION, 1002000, "1.002ms");
	check_u64(PEAT_FIELD_DURATION, 999949, "999.9us");
	check_u64(PEAT_FIELD_DURATION, 999951, "1ms");
	check_u64(PEAT_FIELD_DURATION, 999999999, "1s");
	check_u64(PEAT_FIELD_DURATION, 2340000000, "2.34s");
	check_u64(PEAT_FIELD_DURATION, 9999600000, "10s");
	check_u64(PEAT_FIELD_DURATION, 86400000000000, "86400s");
	check_u64(PEAT_FIELD_DURATION, UINT64_MAX, "18446744074s");
}
END_TEST

START_TEST(test_prints_sizes)
{
	check_u64(PEAT_FIELD_SIZE, 0, "0");
	check_u64(PEAT_FIELD_SIZE, 17, "17");
	check_u64(PEAT_FIELD_SIZE, 1023, "1023");
	check_u64(PEAT_FIELD_SIZE, 4096, "4.0K");
	check_u64(PEAT_FIELD_SIZE, 3 << 19, "1.5M");
	check_u64(PEAT_FIELD_SIZE, 512 << 10, "512K");
	check_u64(PEAT_FIELD_SIZE, (1 << 20) - 1, "1.0M");
	check_u64(PEAT_FIELD_SIZE, 102398, "100K");
	check_u64(PEAT_FIELD_SIZE, 1ULL << 40, "1.0T");
	check_u64(PEAT_FIELD_SIZE, UINT64_MAX, "16.0E");
}
END_TEST

START_TEST(test_prints_network_addresses)
{
	struct peat_field ipv4 = a_field(PEAT_FIELD_IPV4, 4), ipv6 = a_field(PEAT_FIELD_IPV6, 16);
	struct peat_field mac = a_field(PEAT_FIELD_MAC, 6), port = a_field(PEAT_FIELD_PORT, 2);
	struct peat_field end = a_field(PEAT_FIELD_ENDPOINT, 18);

	check(&ipv4, "\x01\x02\x03\xff", 4, "1.2.3.255");
	check(&ipv4, "\x01\x02\x03", 3, "-");
	check(&ipv6, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16, "2001:db8::1");
	check(&ipv6, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\x01", 16, "192.0.2.1");
	check(&ipv6, "\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\2\x01", 16, "::192.0.2.1");
	check(&mac, "\x02\x00\xab\xcd\xef\x01", 6, "02:00:ab:cd:ef:01");
	port.big_endian = true;
	check(&port, "\x01\xbb", 2, "443");
	check(&end, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x01\xbb", 18, "[2001:db8::1]:443");
	check(&end, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\x01\xff\xfe", 18, "192.0.2.1:65534");
	check(&end, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 18, "[::]:0");
	check(&end, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\x01\xff", 17, "-");
	ipv4.bytes = 5; /* by mistake */
	check(&ipv4, "\x01\x02\x03\x04\x05", 5, "0102030405");
	check_u64(PEAT_FIELD_KADDR, 0, "0x0");
	check_u64(PEAT_FIELD_KADDR, 0x1234, "0x1234");
}
END_TEST

START_TEST(test_prints_stack_ids)
{
	struct peat_schema schema = { .stacks_fd = -1, .stack_max = 127 };
	struct peat_field field = a_field(PEAT_FIELD_KSTACK, 4);
	struct strbuf out = { 0 };

	check(&field, &(int){ -17 }, 4, "EEXIST"); /* though the field is unsigned */
	check_u64(PEAT_FIELD_USTACK, (uint64_t)-17, "EEXIST");
	check_u64(PEAT_FIELD_USTACK, 5, "5");
	check(&field, &(int){ 7 }, 4, "7");
	field.schema = &schema;
	check(&field, &(int){ 7 }, 4, "7");
	check_u64(PEAT_FIELD_KSTACK, (uint64_t)-14, "EFAULT");
	schema.fields = &field;
	schema.count = 1;
	field_text__append_frames(&out, &schema, &(int){ 7 }, 4, SYMBOLS_ALL);
	ck_assert_uint_eq(out.count, 0); /* without a map there are no frames */
}
END_TEST

START_TEST(test_prints_strings)
{
	struct peat_field field = a_field(PEAT_FIELD_STRING, 8),
			  rest = a_field(PEAT_FIELD_STRING, 0);

	check(&field, "abc\0wxyz", 8, "abc");
	check(&field, "abcdefghi", 9, "abcdefgh"); /* no NUL */
	check(&field, "ab", 2, "ab");		   /* cut */
	check(&field, "", 0, "-");
	check(&rest, "", 0, "");
	check(&field, "\x1b[2J\n\xff\\", 8, "\\x1b[2J\\n\\xff\\\\");
	check(&field, "a b\0", 4, "a b");
	check_quoted(&field, "a b\0", 4, "\"a b\"");
	check_quoted(&field, "a\"b\0", 4, "\"a\\\"b\"");
	check_quoted(&field, "a=b\0", 4, "a=b");
	check_quoted(&field, "a}\0", 3, "\"a}\"");
	check_quoted(&field, "-\0", 2, "\"-\"");
	check_quoted(&field, "\0", 1, "\"\"");
	check_quoted(&field, "", 0, "-");
	check_quoted(&field, "\xc3\xbc\xe2\x82\xac", 5, "\xc3\xbc\xe2\x82\xac");
}
END_TEST

START_TEST(test_prints_chars)
{
	struct peat_field field = a_field(PEAT_FIELD_CHARS, 8);

	check(&field, "a b\0\r\n\xff\0", 8, "a b\\x00\\r\\n\\xff\\x00");
	check(&field, "ab\0", 3, "ab\\x00"); /* cut */
	check_quoted(&field, "ab\0", 3, "ab\\x00");
	check_quoted(&field, "a \0", 3, "\"a \\x00\"");
}
END_TEST

START_TEST(test_command_lines)
{
	struct peat_field field = a_field(PEAT_FIELD_STRINGS, 0);

	check(&field, "ls\0-l\0/a b\0", 11, "ls -l \"/a b\"");
	check(&field, "sh\0\0-c\0\"x", 9, "sh \"\" -c \"\\\"x\"");
	check(&field, "[\0\x1b\0", 4, "[ \\x1b");
	check(&field, "", 0, "");
	check_quoted(&field, "ls\0-l\0/a b\0-\0[", 14, "[ls -l \"/a b\" \"-\" \"[\"]");
	check_quoted(&field, "", 0, "[]");
	field.bytes = 5;
	check(&field, "ls\0-l\0more", 10, "ls -l");
}
END_TEST

START_TEST(test_prints_bytes)
{
	struct peat_field field = a_field(PEAT_FIELD_BYTES, 4), rest = a_field(PEAT_FIELD_BYTES, 0);

	check(&field, "\x00\xff\x1b\x0a", 4, "00ff1b0a");
	check(&field, "\x00\xff", 2, "00ff");
	check(&rest, "\x01\x02\x03", 3, "010203");
	rest.offset = 5;
	check(&rest, "\x01\x02\x03", 3, "");
}
END_TEST

struct point {
	uint32_t x;
	char name[8];
};

struct nested {
	struct point at[2];
	uint16_t numbers[3];
};

static const struct peat_field nested_fields[] = {
	{ .name = "n", .kind = PEAT_FIELD_STRUCT, .span = 7, .bytes = sizeof(struct nested) },
	{ .name = "at", .kind = PEAT_FIELD_ARRAY, .span = 4, .count = 2, .bytes = 24 },
	{ .name = "", .kind = PEAT_FIELD_STRUCT, .span = 3, .bytes = sizeof(struct point) },
	FIELD(struct point, x, PEAT_FIELD_UNSIGNED),
	FIELD(struct point, name, PEAT_FIELD_STRING),
	{ .name = "numbers",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .count = 3,
	  .offset = 24,
	  .bytes = 6 },
	{ .name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 2 },
};

START_TEST(test_prints_nested_structs)
{
	struct nested nested = { { { 1, "a" }, { 2, "b c" } }, { 7, 8, 65535 } };

	check(nested_fields, &nested, sizeof(nested),
	      "{at=[{x=1 name=a} {x=2 name=\"b c\"}] numbers=[7 8 65535]}");
	check(nested_fields, &nested, 27, "{at=[{x=1 name=a} {x=2 name=\"b c\"}] numbers=[7 -]}");
	check(nested_fields, &nested, 24, "{at=[{x=1 name=a} {x=2 name=\"b c\"}] numbers=-}");
	check(nested_fields, &nested, 14, "{at=[{x=1 name=a} {x=- name=-}] numbers=-}");
	check(nested_fields, &nested, 0, "-");
}
END_TEST

START_TEST(test_array_up_to_the_end)
{
	struct peat_field fields[] = {
		{ .name = "list", .kind = PEAT_FIELD_ARRAY, .span = 2, .offset = 1 },
		{ .name = "",
		  .kind = PEAT_FIELD_UNSIGNED,
		  .span = 1,
		  .bytes = 2,
		  .big_endian = true },
	};

	check(fields, "\xff\0\x01\0\x02\0", 6, "[1 2]"); /* half a number is not shown */
	check(fields, "\xff", 1, "[]");
	fields[1].bytes = 0;
	check(fields, "\xff\0\x01", 3, "[]");
}
END_TEST

START_TEST(test_dynamic_arrays)
{
	struct peat_field text = a_field(PEAT_FIELD_STRING, 0);
	struct peat_field list[] = { a_field(PEAT_FIELD_ARRAY, 0), a_field(PEAT_FIELD_HEX, 2) };
	const struct {
		uint32_t text, list;
		uint16_t numbers[2];
		char name[4];
	} event = { 4 << 16 | 12, 4 << 16 | 0, { 0x1f, 0x2f }, "abc" };

	text.place = PEAT_PLACE_DATA_LOC;
	check(&text, &event, sizeof(event), "abc");
	check(&text, &event, 12, "-");
	list[0].span = 2;
	list[0].offset = 4;
	list[0].place = PEAT_PLACE_REL_LOC;
	check(list, &event, sizeof(event), "[0x1f 0x2f]");
	check(list, &event, 11, "[0x1f]");
}
END_TEST

START_TEST(test_short_room)
{
	struct peat_field field = a_field(PEAT_FIELD_UNSIGNED, 4);
	uint32_t value = 123456;
	char text[8] = "unused";

	ck_assert_uint_eq(peat_field__text(&field, &value, 4, text, 4), 6);
	ck_assert_str_eq(text, "123");
	ck_assert_uint_eq(peat_field__text(&field, &value, 4, text, 1), 6);
	ck_assert_str_eq(text, "");
	ck_assert_uint_eq(peat_field__text(&field, &value, 4, NULL, 0), 6);
	ck_assert_uint_eq(peat_field__text(&field, NULL, 0, text, sizeof(text)), 1);
	ck_assert_str_eq(text, "-");
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_stacks_at_the_end);
	tcase_add_test(tests, test_prints_numbers);
	tcase_add_test(tests, test_prints_floats);
	tcase_add_test(tests, test_prints_enums);
	tcase_add_test(tests, test_prints_flags);
	tcase_add_test(tests, test_many_flags);
	tcase_add_test(tests, test_errnos_and_signals);
	tcase_add_test(tests, test_prints_durations);
	tcase_add_test(tests, test_prints_sizes);
	tcase_add_test(tests, test_prints_network_addresses);
	tcase_add_test(tests, test_prints_stack_ids);
	tcase_add_test(tests, test_prints_strings);
	tcase_add_test(tests, test_prints_chars);
	tcase_add_test(tests, test_command_lines);
	tcase_add_test(tests, test_prints_bytes);
	tcase_add_test(tests, test_prints_nested_structs);
	tcase_add_test(tests, test_array_up_to_the_end);
	tcase_add_test(tests, test_dynamic_arrays);
	tcase_add_test(tests, test_short_room);
}
