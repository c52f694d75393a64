// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_protobuf_write.c: fields have the bytes that the format's documentation shows. */
#include <stdlib.h>

#include "protobuf/protobuf_write.h"
#include "unit/suite.h"

static struct strbuf out;

static void check_bytes(const char *wanted, size_t count)
{
	ck_assert(!out.failed);
	ck_assert_uint_eq(out.count, count);
	ck_assert_mem_eq(out.bytes, wanted, count);
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
}

/* The bytes of a literal, without its NUL. */
#define CHECK(wanted) check_bytes(wanted, sizeof(wanted) - 1)

START_TEST(test_numbers_have_bytes)
{
	protobuf__varint(&out, 1, 150);
	CHECK("\x08\x96\x01");
	protobuf__varint(&out, 1, 0);
	CHECK("\x08\x00");
	protobuf__varint(&out, 16, 127);
	CHECK("\x80\x01\x7f");
	protobuf__varint(&out, 1, (uint64_t)-2);
	CHECK("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	protobuf__zigzag(&out, 1, -2);
	CHECK("\x08\x03");
	protobuf__zigzag(&out, 1, INT64_MIN);
	CHECK("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	protobuf__fixed64(&out, 2, 0x0807060504030201);
	CHECK("\x11\x01\x02\x03\x04\x05\x06\x07\x08");
	protobuf__double(&out, 2, 1);
	CHECK("\x11\x00\x00\x00\x00\x00\x00\xf0\x3f");
}
END_TEST

START_TEST(test_texts_have_bytes)
{
	protobuf__text(&out, 2, "testing");
	CHECK("\x12\x07testing");
	protobuf__text(&out, 2, "");
	CHECK("\x12\x00");
	protobuf__bytes(&out, 2, "a\0b", 3);
	CHECK("\x12\x03"
	      "a\0b");
	protobuf__bytes(&out, 2, NULL, 0);
	CHECK("\x12\x00");
}
END_TEST

START_TEST(test_nested_messages)
{
	struct protobuf_mark outer = protobuf__begin(&out, 3, 1), inner;

	protobuf__varint(&out, 1, 150);
	inner = protobuf__begin(&out, 2, 1);
	protobuf__end(&out, inner);
	protobuf__end(&out, outer);
	CHECK("\x1a\x05\x08\x96\x01\x12\x00");
}
END_TEST

START_TEST(test_packed_arrays)
{
	struct protobuf_mark mark = protobuf__begin(&out, 6, 1);

	protobuf__bare_varint(&out, 3);
	protobuf__bare_varint(&out, 270);
	protobuf__end(&out, mark);
	CHECK("\x32\x03\x03\x8e\x02");
	protobuf__bare_fixed64(&out, 1);
	CHECK("\x01\0\0\0\0\0\0\0");
}
END_TEST

/* A message of `count` bytes, with each guess of the bytes of its length. */
static void check_length(size_t count, unsigned length_bytes)
{
	for (unsigned guess = 0; guess <= 5; guess++) {
		struct protobuf_mark mark = protobuf__begin(&out, 1, guess);

		strbuf__char(&out, 'a');
		strbuf__fill(&out, 'b', count - 2);
		strbuf__char(&out, 'c');
		protobuf__end(&out, mark);
		ck_assert_uint_eq(out.count, 1 + length_bytes + count);
		ck_assert_int_eq(out.bytes[1 + length_bytes], 'a');
		ck_assert_int_eq(out.bytes[out.count - 1], 'c');
		strbuf__free(&out);
		out = (struct strbuf){ 0 };
	}
}

START_TEST(test_lengths_of_messages)
{
	check_length(2, 1);
	check_length(127, 1);
	check_length(128, 2);
	check_length(16383, 2);
	check_length(16384, 3);
	check_length((1 << 21) - 1, 3);
	check_length(1 << 21, 4);
}
END_TEST

/* Marks of a buffer that has failed are not used. */
START_TEST(test_no_memory)
{
	struct protobuf_mark mark = protobuf__begin(&out, 1, 1);

	strbuf__grow(&out, SIZE_MAX / 2);
	ck_assert(out.failed);
	protobuf__end(&out, mark);
	protobuf__end(&out, protobuf__begin(&out, 2, 3));
	ck_assert(out.failed);
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_numbers_have_bytes);
	tcase_add_test(tests, test_texts_have_bytes);
	tcase_add_test(tests, test_nested_messages);
	tcase_add_test(tests, test_packed_arrays);
	tcase_add_test(tests, test_lengths_of_messages);
	tcase_add_test(tests, test_no_memory);
}
