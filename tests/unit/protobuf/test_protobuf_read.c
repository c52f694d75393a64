// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_protobuf_read.c: fields are read as they were written; damaged ones are refused. */
#include <stdlib.h>

#include "protobuf/protobuf_read.h"
#include "unit/suite.h"

static struct protobuf_message message_of(const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	return (struct protobuf_message){ at, at + count, false };
}

START_TEST(test_fields_are_read)
{
	struct protobuf_message message, inner;
	struct protobuf_field field;
	struct strbuf out = { 0 };
	struct protobuf_mark mark;

	protobuf__varint(&out, 1, UINT64_MAX);
	protobuf__fixed64(&out, 1u << 20, 7);
	strbuf__bytes(&out, "\x1d\x01\x00\x00\x00", 5); /* a fixed32 */
	mark = protobuf__begin(&out, 4, 1);
	protobuf__text(&out, 5, "text");
	protobuf__end(&out, mark);
	message = message_of(out.bytes, out.count);
	ck_assert(protobuf__next(&message, &field));
	ck_assert_uint_eq(field.number, 1);
	ck_assert_uint_eq(field.value, UINT64_MAX);
	ck_assert_ptr_null(field.bytes);
	ck_assert(protobuf__next(&message, &field));
	ck_assert_uint_eq(field.number, 1u << 20);
	ck_assert_uint_eq(field.value, 7);
	ck_assert(protobuf__next(&message, &field));
	ck_assert_int_eq(field.wire, PROTOBUF_FIXED32);
	ck_assert_uint_eq(field.value, 1);
	inner = protobuf__inner(&field);
	ck_assert(!protobuf__next(&inner, &field) && !inner.is_bad);
	ck_assert(protobuf__next(&message, &field));
	inner = protobuf__inner(&field);
	ck_assert(protobuf__next(&inner, &field));
	ck_assert_uint_eq(field.count, 4);
	ck_assert_mem_eq(field.bytes, "text", 4);
	ck_assert(!protobuf__next(&inner, &field) && !inner.is_bad);
	ck_assert(!protobuf__next(&message, &field) && !message.is_bad);
	strbuf__free(&out);
}
END_TEST

static void check_bad(const void *bytes, size_t count)
{
	void *copy = memcpy(malloc(count), bytes, count); /* the sanitizer watches its end */
	struct protobuf_message message = message_of(copy, count);
	struct protobuf_field field;

	while (protobuf__next(&message, &field))
		;
	ck_assert(message.is_bad);
	ck_assert(!protobuf__next(&message, &field));
	free(copy);
}

#define CHECK_BAD(bytes) check_bad(bytes, sizeof(bytes) - 1)

START_TEST(test_damaged_messages)
{
	CHECK_BAD("\x08");	       /* no number */
	CHECK_BAD("\x08\x80");	       /* half a number */
	CHECK_BAD("\x09\x01\x02\x03"); /* a fixed64 */
	CHECK_BAD("\x0d\x01\x02\x03"); /* a fixed32 */
	CHECK_BAD("\x0a\x02\x01");
	CHECK_BAD("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	CHECK_BAD("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"); /* 11 bytes */
	CHECK_BAD("\x0b\x0c");					       /* a group */
	CHECK_BAD("\x0e");					       /* no wire type */
	CHECK_BAD("\x00\x00");					       /* field 0 */
	CHECK_BAD("\xf8\xff\xff\xff\xff\x7f\x00");		       /* its number is too large */
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_fields_are_read);
	tcase_add_test(tests, test_damaged_messages);
}
