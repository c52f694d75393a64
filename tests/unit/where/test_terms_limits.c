// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_terms_limits.c: tests that programs cannot decide, and terms that find no room. */
#include "terms_event.h"

/* ---- operands that programs cannot load ------------------------------------------------------ */

/* The test passes whatever the event has, and is the only one that is left to the reader. */
static void check_open(const struct where_test *test)
{
	ck_assert(passes(test));
	ck_assert_int_eq(part, WHERE_NOTHING);
	ck_assert_uint_eq(terms.left_count, 1);
	ck_assert_ptr_eq(terms.left[0], test);
	ck_assert_uint_eq(terms.begin, PEAT_TERMS);
}

static void check_open_field(const struct peat_field *field)
{
	static const enum where_op ops[] = { WHERE_EQUAL, WHERE_LESS, WHERE_ANY_BIT };

	for (size_t i = 0; i < 3; i++) {
		struct where_test test = test_of(ops[i], field);

		check_open(&test);
	}
}

START_TEST(test_fields_that_are_no_plain_numbers)
{
	struct peat_field whole = field_of(PEAT_FIELD_UNSIGNED, OFFSET(number), 4), field = whole;
	struct where_test test = test_of(WHERE_EQUAL, &whole);

	test.array = &whole;
	check_open(&test);
	field.place = PEAT_PLACE_DATA_LOC;
	check_open_field(&field);
	field = whole;
	field.kind = PEAT_FIELD_FLOAT;
	check_open_field(&field);
	field = whole;
	field.bytes = 3;
	check_open_field(&field);
	field = whole;
	field.offset++;
	check_open_field(&field);
	field = whole;
	field.bits = 7;
	field.is_signed = true;
	check_open_field(&field);
	field.is_signed = false;
	field.big_endian = true;
	check_open_field(&field);
}
END_TEST

/* In a struct of the event, the offset of the field is that in the struct. */
START_TEST(test_field_of_a_member)
{
	struct peat_field field = field_of(PEAT_FIELD_UNSIGNED, 4, 4);
	struct where_test test = test_of(WHERE_EQUAL, &field);

	memory.data.number = 77;
	test.base = OFFSET(number) - 4;
	test.value = 77;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(terms.types[0].read_bytes, OFFSET(number) + 4);
	ck_assert_uint_eq(terms.types[0].bytes, OFFSET(number) + 4);
	test.value = 78;
	ck_assert(!passes(&test));
}
END_TEST

/* A mask above the bits of a signed number sees its sign. */
START_TEST(test_masks_of_signed_numbers)
{
	struct peat_field number = field_of(PEAT_FIELD_SIGNED, OFFSET(number), 4);
	struct where_test test = test_of(WHERE_EQUAL, &number);

	number.is_signed = true;
	memory.data.number = -2;
	test.mask = 0x100000001;
	check_open(&test);
	test.op = WHERE_ANY_BIT;
	check_open(&test);
	test.mask = 0xf0000001;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.mask = 1;
	ck_assert(!passes(&test));
	test.op = WHERE_EQUAL;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.value = 1;
	ck_assert(!passes(&test));
}
END_TEST

START_TEST(test_masks_of_bits)
{
	struct peat_field bits = field_of(PEAT_FIELD_UNSIGNED, OFFSET(bits), 4);
	struct where_test test = test_of(WHERE_ANY_BIT, &bits);

	bits.bit_offset = 5;
	bits.bits = 3;
	memory.data.bits = ~(7u << 5) | 5 << 5;
	test.mask = 2;
	ck_assert(!passes(&test));
	test.mask = 4;
	ck_assert(passes(&test));
	test.op = WHERE_EQUAL;
	test.value = 4;
	ck_assert(passes(&test));
	test.mask = 6;
	ck_assert(passes(&test));
	test.mask = 5;
	ck_assert(!passes(&test));
	test.mask = 13; /* the field has no fourth bit */
	test.value = 5;
	ck_assert(passes(&test));
	test.value = 8;
	ck_assert(!passes(&test));
}
END_TEST

/* All 32 bits of ids count; events without ids have none, and their head at another place. */
START_TEST(test_ids_have_32_bits)
{
	struct peat_field none = { 0 };
	struct where_test test = test_of(WHERE_EQUAL, &none);

	test.field = NULL;
	test.operand = WHERE_PID;
	test.value = 100;
	memory.ids = (struct peat_event_ids){ 0x80000064, 101 };
	ck_assert(!passes(&test));
	test.value = 0x80000064;
	ck_assert(passes(&test));
	test.operand = WHERE_TID;
	test.value = 101;
	ck_assert(passes(&test));
	where_terms__init(&terms, false, true);
	ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_NOTHING);
	memcpy(&memory.ids, &memory.head, sizeof(memory.head));
	memset(&memory.head, 0, sizeof(memory.head));
	test.operand = WHERE_SIZE;
	test.value = sizeof(memory.data);
	where_terms__init(&terms, false, true);
	ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_ALL);
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, sizeof(memory.data), ""),
			  PEAT_TERM_PASS);
	test.operand = WHERE_COMM;
	test.op = WHERE_TEXT_EQUAL;
	test.text = "";
	where_terms__init(&terms, false, true);
	ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_NOTHING);
}
END_TEST

/* The head is before the owner, which is before the ids. */
START_TEST(test_owner_is_between_head_and_ids)
{
	struct {
		struct peat_event_head head;
		struct peat_event_owner owner;
		struct peat_event_ids ids;
		uint64_t data;
	} owned = { .head = { .size = 8 }, .ids = { 100, 101 } };
	struct where_test test = { .op = WHERE_EQUAL, .mask = UINT64_MAX };

	for (int i = 0; i < 4; i++) {
		test.operand = i / 2 ? WHERE_PID : WHERE_SIZE;
		test.value = (i / 2 ? 100 : 8) + (uint64_t)(i % 2);
		where_terms__init(&terms, true, true);
		terms.has_owner = true;
		ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_ALL);
		ck_assert_uint_eq(run_terms(&terms, TYPE, &owned.data, 8, ""),
				  i % 2 ? PEAT_TERM_FAIL : PEAT_TERM_PASS);
	}
}
END_TEST

/* Numbers that no CPU has. */
START_TEST(test_large_cpu_numbers)
{
	struct where_test test = { .op = WHERE_LESS, .operand = WHERE_CPU, .mask = UINT64_MAX };

	test.value = UINT32_MAX / PEAT_SLOTS;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.value = UINT64_MAX;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.op = WHERE_EQUAL;
	for (test.value = UINT32_MAX / PEAT_SLOTS - 2; test.value < UINT32_MAX / PEAT_SLOTS + 2;
	     test.value++) {
		ck_assert(!passes(&test));
		ck_assert_int_eq(part, WHERE_ALL);
	}
	test.value = UINT64_MAX;
	ck_assert(!passes(&test));
}
END_TEST

/* A constant is not exact if an event may lack the operand. */
START_TEST(test_constants_are_exact)
{
	struct peat_field none = { 0 };
	struct where_test test = test_of(WHERE_TRUE, &none);

	test.field = NULL;
	test.operand = WHERE_PID;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(terms.type_count, 0);
	test.op = WHERE_FALSE;
	ck_assert(!passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.operand = WHERE_TIME;
	ck_assert(!passes(&test));
	ck_assert_int_eq(part, WHERE_PART);
	test.operand = WHERE_COMM;
	ck_assert(!passes(&test));
	ck_assert_int_eq(part, WHERE_PART);
	test.op = WHERE_TRUE;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_NOTHING);
}
END_TEST

/* ---- texts and bytes that programs cannot test ----------------------------------------------- */

START_TEST(test_bytes_that_programs_cannot_test)
{
	struct peat_field whole = field_of(PEAT_FIELD_IPV6, OFFSET(address), 16), field = whole;
	struct where_test plain = test_of(WHERE_BYTES_EQUAL, &field), test = plain;

	test.byte_count = plain.byte_count = 16;
	test.byte_mask[0] = plain.byte_mask[0] = 255;
	test.bytes[0] = plain.bytes[0] = 1;
	ck_assert(!passes(&test));
	test.array = &whole;
	check_open(&test);
	test = plain;
	test.operand = WHERE_COMM;
	check_open(&test);
	test = plain;
	test.byte_count = 4;
	check_open(&test);
	field.place = PEAT_PLACE_REL_LOC;
	check_open(&plain);
	field = whole;
	field.length = &whole;
	check_open(&plain);
}
END_TEST

START_TEST(test_texts_that_programs_cannot_test)
{
	struct peat_field whole = field_of(PEAT_FIELD_STRING, OFFSET(text), 12), field = whole;
	struct where_test plain = test_of(WHERE_TEXT_EQUAL, &field), test;

	plain.text = "abc";
	plain.text_bytes = 3;
	plain.ends_at_nul = true;
	test = plain;
	ck_assert(!passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.ends_at_nul = false;
	check_open(&test);
	test = plain;
	test.array = &whole;
	check_open(&test);
	test = plain;
	test.op = WHERE_TEXT_GLOB;
	check_open(&test);
	test = plain;
	test.operand = WHERE_TIME;
	check_open(&test);
	field.place = PEAT_PLACE_DATA_LOC;
	check_open(&plain);
	field = whole;
	field.bytes = 0;
	check_open(&plain);
}
END_TEST

/* No field has a NUL in its text. */
START_TEST(test_text_with_a_nul)
{
	struct peat_field text = field_of(PEAT_FIELD_STRING, OFFSET(text), 12);
	struct where_test test = test_of(WHERE_TEXT_EQUAL, &text);

	memcpy(memory.data.text, "a\0b", 4);
	test.text = "a\0b";
	test.text_bytes = 3;
	test.ends_at_nul = true;
	ck_assert(!passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
}
END_TEST

START_TEST(test_plain_texts)
{
	struct peat_schema lengths = { .has_text_lengths = true };
	struct peat_field plain = field_of(PEAT_FIELD_STRING, 0, 12), field = plain;

	ck_assert(where_terms__is_plain_text(&field));
	field.kind = PEAT_FIELD_UNSIGNED;
	ck_assert(!where_terms__is_plain_text(&field));
	field = plain;
	field.place = PEAT_PLACE_DATA_LOC;
	ck_assert(!where_terms__is_plain_text(&field));
	field = plain;
	field.bytes = 0;
	ck_assert(!where_terms__is_plain_text(&field));
	field = plain;
	field.length = &plain;
	ck_assert(!where_terms__is_plain_text(&field));
	field = plain;
	field.schema = &lengths;
	ck_assert(!where_terms__is_plain_text(&field));
}
END_TEST

/* ---- room ------------------------------------------------------------------------------------ */

/* Compares the event's `big` with `count` different numbers, and with `last` first. */
static bool passes_after(struct where_test *last, uint32_t count)
{
	static struct where_test numbers[PEAT_TERMS + 1], ors[PEAT_TERMS + 1];
	static struct peat_field big;
	struct where_test *all = NULL;

	big = field_of(PEAT_FIELD_UNSIGNED, OFFSET(big), 8);
	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = test_of(WHERE_EQUAL, &big);
		numbers[i].value = 1000 + i;
		ors[i] = both(WHERE_OR, &numbers[i], all);
		all = all ? &ors[i] : &numbers[i];
	}
	ors[count] = both(WHERE_OR, last, all);
	return passes(all ? &ors[count] : last);
}

/* The test needs so many terms: it is decided if they have room, and otherwise open. */
static void check_room(struct where_test *last, uint32_t needed)
{
	passes_after(last, PEAT_TERMS - needed);
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(terms.left_count, 0);
	ck_assert(passes_after(last, PEAT_TERMS - needed + 1));
	ck_assert_int_eq(part, WHERE_NOTHING);
	ck_assert_uint_eq(terms.left_count, 1);
	ck_assert_ptr_eq(terms.left[0], last);
}

static void check_room_of_text(enum where_op op, const char *text, uint32_t bytes, uint32_t needed)
{
	struct peat_field field = field_of(PEAT_FIELD_STRING, 0, bytes);
	struct where_test test = test_of(op, &field);

	test.text = text;
	test.text_bytes = (uint32_t)strlen(text);
	test.ends_at_nul = true;
	check_room(&test, needed);
}

START_TEST(test_room_of_numbers)
{
	struct peat_field tiny = field_of(PEAT_FIELD_UNSIGNED, OFFSET(tiny), 1);
	struct where_test test = test_of(WHERE_EQUAL, &tiny);

	memory.data.tiny = 9;
	test.value = 8;
	check_room(&test, 1);
	test = (struct where_test){ .op = WHERE_LESS, .operand = WHERE_CPU, .mask = UINT64_MAX };
	check_room(&test, 1);
	test.op = WHERE_EQUAL; /* a range */
	test.value = 2;
	check_room(&test, 2);
	memory.data.big = 1000; /* the last term that has room */
	ck_assert(passes_after(&test, PEAT_TERMS - 2));
	memory.data.big = 1000 + PEAT_TERMS - 2;
	ck_assert(!passes_after(&test, PEAT_TERMS - 2));
}
END_TEST

/* Short texts before the numbers: their events have the whole array. */
START_TEST(test_room_of_texts)
{
	check_room_of_text(WHERE_TEXT_EQUAL, "abc", 8, 1);
	check_room_of_text(WHERE_TEXT_EQUAL, "abcd", 8, 2);
	check_room_of_text(WHERE_TEXT_BEGINS, "abc", 8, 2);
}
END_TEST

/* The last text of an event: `bytes` of it are read. */
static enum where_part part_of_text(enum where_op op, const char *text, uint32_t bytes,
				    uint32_t offset)
{
	struct peat_field field = field_of(PEAT_FIELD_STRING, offset, bytes);
	struct where_test test = test_of(op, &field);

	test.text = text;
	test.text_bytes = (uint32_t)strlen(text);
	test.ends_at_nul = true;
	where_terms__init(&terms, true, true);
	return where_terms__add(&terms, TYPE, &test);
}

#define LONGEST (PEAT_TERMS * 8)

/* Each term tests 8 bytes; the size of the event takes two. */
START_TEST(test_long_texts)
{
	char text[LONGEST + 2] = { 0 };

	memset(text, 'x', LONGEST);
	ck_assert_int_eq(part_of_text(WHERE_TEXT_BEGINS, text, LONGEST + 8, 0), WHERE_ALL);
	ck_assert_int_eq(part_of_text(WHERE_TEXT_EQUAL, text, LONGEST, 0), WHERE_ALL);
	text[LONGEST] = 'x';
	ck_assert_int_eq(part_of_text(WHERE_TEXT_BEGINS, text, LONGEST + 8, 0), WHERE_NOTHING);
	text[LONGEST - 17] = '\0';
	ck_assert_int_eq(part_of_text(WHERE_TEXT_EQUAL, text, LONGEST + 8, 0), WHERE_ALL);
	ck_assert_uint_eq(terms.begin, 0);
	text[LONGEST - 17] = 'x';
	text[LONGEST - 16] = '\0';
	ck_assert_int_eq(part_of_text(WHERE_TEXT_EQUAL, text, LONGEST + 8, 0), WHERE_NOTHING);
	text[0] = ' '; /* whole, and with a NUL instead of the blank */
	text[LONGEST / 2 - 8] = '\0';
	ck_assert_int_eq(part_of_text(WHERE_TEXT_BEGINS, text, LONGEST + 8, 0), WHERE_ALL);
	text[LONGEST / 2 - 8] = 'x';
	text[LONGEST / 2] = '\0';
	ck_assert_int_eq(part_of_text(WHERE_TEXT_BEGINS, text, LONGEST + 8, 0), WHERE_NOTHING);
}
END_TEST

/* Offsets of terms have 16 bits. */
START_TEST(test_far_fields)
{
	uint32_t last = UINT16_MAX - PEAT_TERM_ORIGIN - 3;

	ck_assert_int_eq(part_of_text(WHERE_TEXT_EQUAL, "abc", 3, last), WHERE_ALL);
	ck_assert_uint_eq(terms.types[0].read_bytes, last + 3);
	ck_assert_int_eq(part_of_text(WHERE_TEXT_EQUAL, "abc", 3, last + 1), WHERE_NOTHING);
}
END_TEST

/* Some of the tests that are left to the reader are kept, for messages. */
START_TEST(test_tests_that_are_left)
{
	struct where_test globs[WHERE_LEFT_MAX + 1], trees[WHERE_LEFT_MAX + 1];
	struct where_test *all = &leaves[0];

	for (uint32_t i = 0; i <= WHERE_LEFT_MAX; i++) {
		globs[i] = leaves[3];
		trees[i] = both(WHERE_AND, &globs[i], all);
		all = &trees[i];
	}
	passes(all);
	ck_assert_int_eq(part, WHERE_PART);
	ck_assert_uint_eq(terms.left_count, WHERE_LEFT_MAX);
	for (uint32_t i = 0; i < WHERE_LEFT_MAX; i++)
		ck_assert_ptr_eq(terms.left[i], &globs[i]);
	where_terms__add(&terms, TYPE + 1, &leaves[0]);
	ck_assert_uint_eq(terms.left_count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup_leaves, NULL);
	tcase_add_test(tests, test_fields_that_are_no_plain_numbers);
	tcase_add_test(tests, test_field_of_a_member);
	tcase_add_test(tests, test_masks_of_signed_numbers);
	tcase_add_test(tests, test_masks_of_bits);
	tcase_add_test(tests, test_ids_have_32_bits);
	tcase_add_test(tests, test_owner_is_between_head_and_ids);
	tcase_add_test(tests, test_large_cpu_numbers);
	tcase_add_test(tests, test_constants_are_exact);
	tcase_add_test(tests, test_bytes_that_programs_cannot_test);
	tcase_add_test(tests, test_texts_that_programs_cannot_test);
	tcase_add_test(tests, test_text_with_a_nul);
	tcase_add_test(tests, test_plain_texts);
	tcase_add_test(tests, test_room_of_numbers);
	tcase_add_test(tests, test_room_of_texts);
	tcase_add_test(tests, test_long_texts);
	tcase_add_test(tests, test_far_fields);
	tcase_add_test(tests, test_tests_that_are_left);
}
