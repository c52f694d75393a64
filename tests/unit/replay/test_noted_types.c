// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_noted_types.c: schemas of notes: in parts, equal, damaged. */
#include <stdlib.h>
#include <string.h>

#include "base/store.h"
#include "replay/noted_types.h"
#include "schema/schema_bytes.h"
#include "support/recording/every_kind.h"
#include "unit/suite.h"

static struct noted_types types;
static struct strbuf schema;

static void setup(void)
{
	struct peat_schema *every = every_kind__schema(true);

	types = (struct noted_types){ 0 };
	schema = (struct strbuf){ 0 };
	schema_bytes__put(every, &schema);
	peat_schema__free(every);
}

static void teardown(void)
{
	noted_types__free(&types);
	strbuf__free(&schema);
}

/* Reads a note with the bytes from `at` to `end`. */
static void read_part(uint32_t id, uint32_t at, uint32_t end)
{
	struct strbuf out = { 0 };
	struct note note = { .kind = NOTE_TYPE };

	store_u32(&out, id);
	store_u32(&out, 0);
	store_u32(&out, 0);
	store_u32(&out, 0);
	store_u32(&out, (uint32_t)schema.count);
	store_u32(&out, at);
	store_u32(&out, 0);
	strbuf__bytes(&out, schema.bytes + at, end - at);
	note.bytes = (const uint8_t *)out.bytes;
	note.count = (uint32_t)out.count;
	ck_assert_int_eq(noted_types__read(&types, &note, false), 0);
	strbuf__free(&out);
}

START_TEST(test_parts_make_a_schema)
{
	read_part(1, 0, 100);
	ck_assert_ptr_null(noted_types__find(&types, 1));
	read_part(1, 100, (uint32_t)schema.count);
	ck_assert_ptr_nonnull(noted_types__find(&types, 1));
	ck_assert_str_eq(peat_schema__name(noted_types__find(&types, 1)->schema), "every_kind");
	ck_assert_ptr_null(noted_types__find(&types, 2));
}
END_TEST

START_TEST(test_equal_schemas_are_one)
{
	uint32_t all = (uint32_t)schema.count;

	read_part(1, 0, all);
	read_part(2, 0, all);
	ck_assert_ptr_eq(noted_types__find(&types, 1), noted_types__find(&types, 2));
	noted_types__restart(&types);
	ck_assert_ptr_null(noted_types__find(&types, 1));
	read_part(7, 0, all);
	ck_assert_uint_eq(types.count, 1);
	ck_assert_ptr_nonnull(noted_types__find(&types, 7));
}
END_TEST

START_TEST(test_damaged_notes_are_ignored)
{
	uint32_t all = (uint32_t)schema.count;
	const struct note cut = { .kind = NOTE_TYPE,
				  .bytes = (const uint8_t *)"\1\0\0",
				  .count = 3 };

	read_part(1, 100, all);
	ck_assert_ptr_null(noted_types__find(&types, 1));
	read_part(1, 0, 50);
	read_part(2, 50, all);
	ck_assert_ptr_null(noted_types__find(&types, 1));
	ck_assert_ptr_null(noted_types__find(&types, 2));
	ck_assert_int_eq(noted_types__read(&types, &cut, false), 0);
	schema.bytes[0]++;
	read_part(3, 0, all);
	ck_assert_ptr_null(noted_types__find(&types, 3));
}
END_TEST

START_TEST(test_sizes_without_padding)
{
	ck_assert_uint_eq(noted_types__size((const uint8_t *)"ab\0\2", 4), 2);
	ck_assert_uint_eq(noted_types__size((const uint8_t *)"\1", 1), 0);
	ck_assert_uint_eq(noted_types__size((const uint8_t *)"", 0), 0);
	ck_assert_uint_eq(noted_types__size((const uint8_t *)"\xff", 1), 1);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_parts_make_a_schema);
	tcase_add_test(tests, test_equal_schemas_are_one);
	tcase_add_test(tests, test_damaged_notes_are_ignored);
	tcase_add_test(tests, test_sizes_without_padding);
}
