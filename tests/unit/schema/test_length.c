// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_length.c: arrays of bytes with a length field: PEAT_LEN(). */
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

#include <peat/log.h>

#include "field/fields.h"
#include "support/machine/harness.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

#define ABSENT "-"

static struct btf *btf;
static struct peat_schema *schema;
static int u8, u32, s32, letter;
static uint32_t warnings;

static void count_warnings(enum peat_log_level level, const char *text)
{
	(void)text;
	warnings += level <= PEAT_LOG_WARN;
}

static void setup(void)
{
	peat_set_print(count_warnings);
	warnings = 0;
	schema = NULL;
	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	u8 = btf__add_int(btf, "unsigned char", 1, 0);
	u32 = btf__add_int(btf, "unsigned int", 4, 0);
	s32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	letter = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	ck_assert_int_gt(letter, 0);
}

static void teardown(void)
{
	peat_schema__free(schema);
	btf__free(btf);
}

static int begin(const char *name, uint32_t bytes)
{
	int id = btf__add_struct(btf, name, bytes);

	ck_assert_int_gt(id, 0);
	return id;
}

static void member(const char *name, int type, uint32_t offset)
{
	ck_assert_int_eq(btf__add_field(btf, name, type, offset * 8, 0), 0);
}

static void tag(int type, int index, const char *text)
{
	ck_assert_int_gt(btf__add_decl_tag(btf, text, type, index), 0);
}

/* Makes the schema and frees its BTF. */
static void make(int id)
{
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	btf__free(btf);
	btf = NULL;
}

/* { LENGTH_TYPE n; ELEMENT data[count]; }: the offset of data is 4. */
static void make_bytes(int length_type, int element, uint32_t count)
{
	int data = btf__add_array(btf, u32, element, count), id = begin("event", 4 + count);

	member("n", length_type, 0);
	member("data", data, 4);
	tag(id, 1, "peat:len:n");
	make(id);
	ck_assert_uint_eq(schema->count, 2);
	ck_assert_ptr_eq(schema->fields[1].length, &schema->fields[0]);
	ck_assert_ptr_null(schema->fields[0].length);
	ck_assert_uint_eq(warnings, 0);
}

static const char *text_of(const struct peat_field *field, const void *event, uint32_t bytes)
{
	static char text[128];

	peat_field__text(field, event, bytes, text, sizeof(text));
	return text;
}

struct bytes_event {
	int32_t n;
	unsigned char data[8];
};

static const char *shown(int32_t n, uint32_t bytes)
{
	const struct bytes_event event = { n, { 1, 2, 3, 4, 5, 6, 7, 8 } };

	return text_of(&schema->fields[1], &event, bytes);
}

START_TEST(test_rest_of_an_event)
{
	make_bytes(u32, u8, 0);
	ck_assert_uint_eq(schema->fields[1].bytes, 0);
	ck_assert_str_eq(shown(3, 12), "010203");
	ck_assert_str_eq(shown(8, 12), "0102030405060708");
	ck_assert_str_eq(shown(9, 12), "0102030405060708");
	ck_assert_str_eq(shown(-1, 12), "0102030405060708");
	ck_assert_str_eq(shown(5, 6), "0102");
	ck_assert_str_eq(shown(0, 12), "");
	ck_assert_str_eq(shown(0, 4), "");
	ck_assert_str_eq(shown(3, 3), "");
}
END_TEST

START_TEST(test_array_of_fixed_size)
{
	make_bytes(u32, u8, 6);
	ck_assert_str_eq(shown(2, 12), "0102");
	ck_assert_str_eq(shown(6, 12), "010203040506");
	ck_assert_str_eq(shown(7, 12), "010203040506");
	ck_assert_str_eq(shown(5, 6), "0102");
	ck_assert_str_eq(shown(0, 12), "");
	ck_assert_str_eq(shown(0, 4), "");
	ck_assert_str_eq(shown(1, 4), ABSENT);
}
END_TEST

START_TEST(test_negative_length)
{
	make_bytes(s32, u8, 0);
	ck_assert_str_eq(shown(4, 12), "01020304");
	ck_assert_str_eq(shown(-14, 12), "");
}
END_TEST

START_TEST(test_text_ends_with_its_length)
{
	const struct {
		uint32_t n;
		char data[8];
	} event = { 5, "abcdefg" }, ended = { 5, "ab" };

	make_bytes(u32, letter, 8);
	ck_assert_str_eq(text_of(&schema->fields[1], &event, sizeof(event)), "abcde");
	ck_assert_str_eq(text_of(&schema->fields[1], &ended, sizeof(ended)), "ab");
}
END_TEST

/* The length may follow the bytes, and is looked up in the same struct. */
START_TEST(test_length_in_the_same_struct)
{
	const struct {
		uint32_t n;
		struct {
			unsigned char data[4];
			uint32_t n;
		} inner[2];
	} event = { 4, { { { 1, 2, 3, 4 }, 1 }, { { 5, 6, 7, 8 }, 3 } } };
	int data = btf__add_array(btf, u32, u8, 4), inner = begin("inner", 8), both, outer;

	member("data", data, 0);
	member("n", u32, 4);
	tag(inner, 0, "peat:len:n");
	both = btf__add_array(btf, u32, inner, 2);
	outer = begin("outer", 20);
	member("n", u32, 0);
	member("inner", both, 4);
	make(outer);
	ck_assert_str_eq(text_of(&schema->fields[1], &event, sizeof(event)),
			 "[{data=01 n=1} {data=050607 n=3}]");
}
END_TEST

/* Members of an anonymous struct are the outer struct's. */
START_TEST(test_length_in_an_anonymous_struct)
{
	const struct bytes_event event = { 2, { 1, 2, 3 } };
	int data = btf__add_array(btf, u32, u8, 0), inner = begin(NULL, 4), outer;

	member("n", u32, 0);
	outer = begin("outer", 4);
	member(NULL, inner, 0);
	member("data", data, 4);
	tag(outer, 1, "peat:len:n");
	make(outer);
	ck_assert_str_eq(text_of(&schema->fields[1], &event, 12), "0102");
}
END_TEST

START_TEST(test_reserved_name_as_length)
{
	const struct bytes_event event = { 2, { 1, 2, 3 } };
	int data = btf__add_array(btf, u32, u8, 0), id = begin("event", 4);

	member("cpu", u32, 0);
	member("data", data, 4);
	tag(id, 1, "peat:len:cpu");
	make(id);
	ck_assert_str_eq(schema->fields[0].name, "cpu_");
	ck_assert_str_eq(text_of(&schema->fields[1], &event, 12), "0102");
}
END_TEST

static void check_warned(int type, uint32_t bytes, const char *text)
{
	int id = begin("event", 12);

	warnings = 0;
	member("x", type, 0);
	member("n", u32, 8);
	tag(id, 0, text);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_null(schema->fields[0].length);
	ck_assert_uint_eq(schema->fields[0].bytes, bytes);
	peat_schema__free(schema);
	schema = NULL;
}

START_TEST(test_invalid_tags)
{
	int data = btf__add_array(btf, u32, u8, 8), numbers = btf__add_array(btf, u32, u32, 2);

	check_warned(data, 8, "peat:len:m");
	check_warned(data, 8, "peat:len:");
	check_warned(data, 8, "peat:len:x");
	check_warned(numbers, 8, "peat:len:n");
	check_warned(u32, 4, "peat:len:m");
	check_warned(0, 4, "peat:len:n"); /* the tagged member is no field: the first field is n */
}
END_TEST

/* Numbers whose length is the number itself, or the next: the last has the first as its length. */
START_TEST(test_lengths_have_none)
{
	static const char *const names[] = { "a", "b", "c" };
	const uint32_t event[] = { 4, 4, 4 };

	for (int count = 1; count <= 3; count++) {
		int id = begin("event", (uint32_t)count * 4);

		for (int i = 0; i < count; i++)
			member(names[i], u32, (uint32_t)i * 4);
		for (int i = 0; i < count; i++) {
			char text[16];

			snprintf(text, sizeof(text), "peat:len:%s", names[(i + 1) % count]);
			tag(id, i, text);
		}
		warnings = 0;
		schema = peat_schema__new(btf, (uint32_t)id);
		ck_assert_ptr_nonnull(schema);
		ck_assert_uint_eq(warnings, (uint32_t)count);
		for (int i = 0; i < count; i++) {
			ck_assert_ptr_null(schema->fields[i].length);
			ck_assert_str_eq(text_of(&schema->fields[i], event, 12), "4");
		}
		peat_schema__free(schema);
		schema = NULL;
	}
}
END_TEST

START_TEST(test_json_has_length_bytes)
{
	const struct bytes_event event = { 3, { 1, 2, 3, 4, 5, 6, 7, 8 } }, none = { 0 };
	struct peat_event outer;
	struct peat_sink *sink;
	int fd = new_output();

	make_bytes(u32, u8, 8);
	sink = peat_sink__new_json(fd, NULL);
	outer = an_event(schema, &event, 12);
	ck_assert_int_eq(peat_sink__write(sink, &outer), 0);
	ck_assert_ptr_nonnull(strstr(output(sink, fd), "\"n\":3,\"data\":\"010203\"}"));
	outer = an_event(schema, &none, 12);
	ck_assert_int_eq(peat_sink__write(sink, &outer), 0);
	ck_assert_ptr_nonnull(strstr(output(sink, fd), "\"n\":0,\"data\":\"\"}"));
	peat_sink__free(sink);
	close(fd);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_rest_of_an_event);
	tcase_add_test(tests, test_array_of_fixed_size);
	tcase_add_test(tests, test_negative_length);
	tcase_add_test(tests, test_text_ends_with_its_length);
	tcase_add_test(tests, test_length_in_the_same_struct);
	tcase_add_test(tests, test_length_in_an_anonymous_struct);
	tcase_add_test(tests, test_reserved_name_as_length);
	tcase_add_test(tests, test_invalid_tags);
	tcase_add_test(tests, test_lengths_have_none);
	tcase_add_test(tests, test_json_has_length_bytes);
}
