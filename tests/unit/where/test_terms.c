// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_terms.c: terms of single tests, and of expressions made of them, run as programs run them.
 */
#include <endian.h>

#include "terms_event.h"

/* ---- numbers --------------------------------------------------------------------------------- */

START_TEST(test_unsigned_terms)
{
	struct peat_field tiny = field_of(PEAT_FIELD_UNSIGNED, OFFSET(tiny), 1);

	memory.data.tiny = 200;
	ck_assert(number_is(WHERE_EQUAL, &tiny, 200));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert(!number_is(WHERE_EQUAL, &tiny, 201));
	ck_assert(!number_is(WHERE_LESS, &tiny, 200));
	ck_assert(number_is(WHERE_LESS, &tiny, 201));
	ck_assert(!number_is(WHERE_LESS, &tiny, 0));
	/* Values that it cannot have. */
	ck_assert(!number_is(WHERE_EQUAL, &tiny, 456));
	ck_assert(number_is(WHERE_LESS, &tiny, 256));
	ck_assert(number_is(WHERE_LESS, &tiny, UINT64_MAX));
	ck_assert_uint_eq(terms.begin, PEAT_TERMS);
}
END_TEST

START_TEST(test_signed_terms)
{
	static const int32_t values[] = { INT32_MIN, -2, -1, 0, 1, INT32_MAX };
	struct peat_field number = field_of(PEAT_FIELD_SIGNED, OFFSET(number), 4);

	number.is_signed = true;
	for (size_t i = 0; i < 6; i++) {
		memory.data.number = values[i];
		for (size_t j = 0; j < 6; j++) {
			uint64_t value = (uint64_t)values[j];

			ck_assert_int_eq(number_is(WHERE_EQUAL, &number, value), i == j);
			ck_assert_int_eq(number_is(WHERE_LESS, &number, value), i < j);
		}
		ck_assert(number_is(WHERE_LESS, &number, (uint64_t)INT32_MAX + 1));
		ck_assert(!number_is(WHERE_LESS, &number, (uint64_t)INT64_MIN));
		ck_assert(!number_is(WHERE_EQUAL, &number, (uint32_t)values[i] + (1ULL << 32)));
	}
}
END_TEST

START_TEST(test_wide_signed)
{
	struct peat_field wide = field_of(PEAT_FIELD_SIGNED, OFFSET(wide), 8);

	wide.is_signed = true;
	memory.data.wide = INT64_MIN;
	ck_assert(number_is(WHERE_LESS, &wide, 0));
	ck_assert(!number_is(WHERE_LESS, &wide, (uint64_t)INT64_MIN));
	memory.data.wide = INT64_MAX;
	ck_assert(!number_is(WHERE_LESS, &wide, INT64_MAX));
	ck_assert(!number_is(WHERE_LESS, &wide, (uint64_t)INT64_MIN));
	ck_assert(number_is(WHERE_EQUAL, &wide, INT64_MAX));
}
END_TEST

START_TEST(test_network_order)
{
	struct peat_field port = field_of(PEAT_FIELD_PORT, OFFSET(port), 2);

	port.big_endian = true;
	memory.data.port = htobe16(443);
	ck_assert(number_is(WHERE_EQUAL, &port, 443));
	ck_assert(number_is(WHERE_LESS, &port, 444));
	ck_assert(!number_is(WHERE_LESS, &port, 443));
	memory.data.port = htobe16(0x1234);
	ck_assert(!number_is(WHERE_LESS, &port, 0x1234));
	ck_assert(number_is(WHERE_LESS, &port, 0x1235));
}
END_TEST

START_TEST(test_bit_field_terms)
{
	struct peat_field bits = field_of(PEAT_FIELD_UNSIGNED, OFFSET(bits), 4);

	bits.bit_offset = 5;
	bits.bits = 3;
	memory.data.bits = ~(7u << 5) | 5 << 5;
	ck_assert(number_is(WHERE_EQUAL, &bits, 5));
	ck_assert(!number_is(WHERE_EQUAL, &bits, 13));
	ck_assert(number_is(WHERE_LESS, &bits, 6));
	ck_assert(!number_is(WHERE_LESS, &bits, 5));
	ck_assert(number_is(WHERE_LESS, &bits, 8));
	ck_assert_int_eq(part, WHERE_ALL);
}
END_TEST

START_TEST(test_mask_terms)
{
	struct peat_field big = field_of(PEAT_FIELD_FLAGS, OFFSET(big), 8);
	struct where_test test = test_of(WHERE_ANY_BIT, &big);

	memory.data.big = 0x8000000000000001;
	test.mask = 6;
	ck_assert(!passes(&test));
	test.mask = 0x8000000000000000;
	ck_assert(passes(&test));
	test.op = WHERE_EQUAL;
	test.value = 0x8000000000000000;
	ck_assert(passes(&test));
	test.value = 1; /* not in the mask */
	ck_assert(!passes(&test));
}
END_TEST

START_TEST(test_operands_of_all_events)
{
	struct peat_field none = { 0 };
	struct where_test test = test_of(WHERE_EQUAL, &none);

	test.field = NULL;
	test.operand = WHERE_PID;
	test.value = 100;
	ck_assert(passes(&test));
	test.operand = WHERE_TID;
	ck_assert(!passes(&test));
	test.operand = WHERE_SIZE;
	test.value = sizeof(memory.data);
	ck_assert(passes(&test));
	test.operand = WHERE_CPU;
	for (test.value = 0; test.value < 6; test.value++)
		ck_assert_int_eq(passes(&test), test.value == 3);
	test.op = WHERE_LESS;
	for (test.value = 0; test.value < 6; test.value++)
		ck_assert_int_eq(passes(&test), test.value > 3);
	ck_assert_int_eq(part, WHERE_ALL);
	test.op = WHERE_ANY_BIT;
	ck_assert(passes(&test));
	memory.head.delta_ns = PEAT_SLOTS; /* CPU 0, slot 3 */
	ck_assert(!passes(&test));
	test.op = WHERE_EQUAL;
	test.value = 0;
	test.mask = UINT32_MAX;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	test.mask = 1;
	passes(&test);
	ck_assert_int_eq(part, WHERE_NOTHING);
	test.operand = WHERE_TIME;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_NOTHING);
}
END_TEST

/* ---- texts and bytes ------------------------------------------------------------------------- */

START_TEST(test_text_terms)
{
	struct peat_field text = field_of(PEAT_FIELD_STRING, OFFSET(text), 12);

	memcpy(memory.data.text, "/etc/x\0junk", 12);
	ck_assert(text_is(WHERE_TEXT_EQUAL, &text, "/etc/x"));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert(!text_is(WHERE_TEXT_EQUAL, &text, "/etc/"));
	ck_assert(!text_is(WHERE_TEXT_EQUAL, &text, "/etc/xy"));
	ck_assert(text_is(WHERE_TEXT_BEGINS, &text, "/etc/"));
	ck_assert(!text_is(WHERE_TEXT_BEGINS, &text, "/etc/x/"));
	ck_assert(text_is(WHERE_TEXT_BEGINS, &text, ""));
	ck_assert(!text_is(WHERE_TEXT_EQUAL, &text, ""));
	ck_assert(!text_is(WHERE_TEXT_EQUAL, &text, "longer than twelve"));
	memcpy(memory.data.text, "twelve bytes", 12); /* without a NUL */
	memory.data.bits = UINT32_MAX;		      /* which follows */
	ck_assert(text_is(WHERE_TEXT_EQUAL, &text, "twelve bytes"));
	ck_assert(!text_is(WHERE_TEXT_EQUAL, &text, "twelve byte"));
}
END_TEST

START_TEST(test_comm_terms)
{
	struct peat_field none = { 0 };
	struct where_test test = test_of(WHERE_TEXT_EQUAL, &none);

	test.operand = WHERE_COMM;
	test.field = NULL;
	test.text = "nginx";
	test.text_bytes = 5;
	ck_assert(passes(&test));
	ck_assert(terms.uses_comm);
	test.text = "httpd";
	ck_assert(!passes(&test));
	where_terms__init(&terms, true, false);
	ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_NOTHING);
}
END_TEST

START_TEST(test_address_terms)
{
	struct peat_field address = field_of(PEAT_FIELD_IPV6, OFFSET(address), 16);
	struct where_test test = test_of(WHERE_BYTES_EQUAL, &address);

	memcpy(memory.data.address, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
	test.byte_count = 16;
	memcpy(test.bytes, "\x20\x01\x0d\xb8", 4);
	memset(test.byte_mask, 255, 4); /* 2001:db8::/32 */
	ck_assert(passes(&test));
	memset(test.byte_mask, 255, 16);
	ck_assert(!passes(&test));
	test.bytes[15] = 1;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
}
END_TEST

/* ---- expressions ----------------------------------------------------------------------------- */

START_TEST(test_and_or_not)
{
	struct where_test or = both(WHERE_OR, &leaves[0], &leaves[1]);
	struct where_test not = both(WHERE_NOT, &leaves[2], NULL);
	struct where_test and = both(WHERE_AND, & or, &not );
	struct where_test all = both(WHERE_NOT, &and, NULL);

	for (memory.data.tiny = 0; memory.data.tiny < 8; memory.data.tiny++) {
		bool expected = (memory.data.tiny & 3) && !(memory.data.tiny & 4);

		ck_assert_int_eq(passes(&and), expected);
		ck_assert_int_eq(passes(&all), !expected);
		ck_assert_int_eq(part, WHERE_ALL);
	}
}
END_TEST

/* Never stricter than the expression, whatever the test that programs cannot decide would say. */
START_TEST(test_terms_are_weaker)
{
	struct where_test glob = leaves[3], not_glob = both(WHERE_NOT, &glob, NULL);
	struct where_test and = both(WHERE_AND, &leaves[0], &glob);
	struct where_test nand = both(WHERE_NOT, &and, NULL);
	struct where_test or = both(WHERE_OR, &leaves[0], &glob);
	struct where_test nor = both(WHERE_NOT, & or, NULL);
	struct where_test and_not = both(WHERE_AND, &leaves[0], &not_glob);

	for (memory.data.tiny = 0; memory.data.tiny < 2; memory.data.tiny++) {
		ck_assert_int_eq(passes(&and), memory.data.tiny);
		ck_assert_int_eq(part, WHERE_PART);
		ck_assert_int_eq(passes(&and_not), memory.data.tiny);
		ck_assert_int_eq(passes(&nor), !memory.data.tiny);
		ck_assert_int_eq(part, WHERE_PART);
		ck_assert(passes(& or));
		ck_assert_int_eq(part, WHERE_NOTHING);
		ck_assert(passes(&nand));
		ck_assert_int_eq(part, WHERE_NOTHING);
	}
}
END_TEST

/* What has no room passes. */
START_TEST(test_too_many_terms)
{
	struct where_test tree[40], *all = &leaves[0];

	memory.data.tiny = 1;
	for (size_t i = 0; i < 40; i++) {
		tree[i] = both(WHERE_AND, all, &leaves[i % 3]);
		all = &tree[i];
	}
	passes(all);
	ck_assert_int_eq(part, WHERE_PART);
	memory.data.tiny = 7;
	ck_assert(passes(all));
}
END_TEST

/* An event that lacks a field is left to the reader, whatever the result of the test would be. */
START_TEST(test_short_events)
{
	struct peat_field wide = field_of(PEAT_FIELD_UNSIGNED, OFFSET(wide), 8);
	struct where_test test = test_of(WHERE_EQUAL, &wide);
	uint32_t bytes = OFFSET(wide) + 7;

	test.value = 5;
	ck_assert(!passes(&test));
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, bytes, ""), PEAT_TERM_OPEN);
	test.op = WHERE_TRUE;
	ck_assert(passes(&test));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, bytes, ""), PEAT_TERM_OPEN);
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, bytes + 1, ""), PEAT_TERM_PASS);
}
END_TEST

/* An event that ends with a text: `bytes` of it are sent, and bytes of earlier events follow. */
static uint32_t short_text(enum where_op op, const char *wanted, const char *sent, uint32_t bytes)
{
	struct peat_field text = field_of(PEAT_FIELD_STRING, 0, 28);

	memcpy(&memory.data, "0123456789abcdefghijklmnopq", 28);
	text_is(op, &text, wanted);
	ck_assert_int_eq(part, WHERE_ALL);
	memcpy(&memory.data, sent, bytes);
	memory.head.size = (unsigned short)bytes;
	return run_terms(&terms, TYPE, &memory.data, bytes, "");
}

START_TEST(test_last_text)
{
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "/etc/passwd", "/etc/passwd", 12),
			  PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "/etc/passwd", "/etc/passwd", 11),
			  PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "/etc/passwd", "/etc/passwd-", 13),
			  PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "/etc/passwd", "/etc", 5), PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "", "", 1), PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "", "a", 2), PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "", "", 0), PEAT_TERM_OPEN);
	ck_assert_uint_eq(short_text(WHERE_TEXT_BEGINS, "/etc/", "/etc/passwd", 12),
			  PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_BEGINS, "/etc/", "/etc/", 5), PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_BEGINS, "/etc/", "/etc", 5), PEAT_TERM_FAIL);
	/* Bytes of an earlier event do not continue the text. */
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "0123", "012", 3), PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_BEGINS, "0123", "012", 3), PEAT_TERM_FAIL);
}
END_TEST

/* Several strings in a shorter event are a text with blanks: the reader decides. */
START_TEST(test_last_text_of_several_strings)
{
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls", "ls\0-l\0/etc", 11), PEAT_TERM_OPEN);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls", "ls\0-l", 6), PEAT_TERM_PASS);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls", "ps\0-l\0/etc", 11), PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls -l", "ls\0-l\0", 6), PEAT_TERM_OPEN);
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls -l", "ls\0-a\0", 6), PEAT_TERM_FAIL);
	ck_assert_uint_eq(short_text(WHERE_TEXT_BEGINS, "ls ", "ls\0-l\0/etc", 11), PEAT_TERM_OPEN);
	/* In the whole array a text ends at its first NUL. */
	ck_assert_uint_eq(short_text(WHERE_TEXT_EQUAL, "ls", "ls\0-l\0/etc ................", 28),
			  PEAT_TERM_PASS);
	ck_assert_uint_eq(
		short_text(WHERE_TEXT_EQUAL, "ls -l", "ls\0-l\0/etc ................", 28),
		PEAT_TERM_FAIL);
	ck_assert_uint_eq(
		short_text(WHERE_TEXT_BEGINS, "ls -l", "ls -l\0/etc .................", 28),
		PEAT_TERM_PASS);
}
END_TEST

/* No event that matches is short if a field after the text is tested, too. */
START_TEST(test_text_before_another_field)
{
	struct peat_field text = field_of(PEAT_FIELD_STRING, OFFSET(text), 12);
	struct peat_field wide = field_of(PEAT_FIELD_UNSIGNED, OFFSET(wide), 8);
	struct where_test begins = test_of(WHERE_TEXT_EQUAL, &text);
	struct where_test is_5 = test_of(WHERE_EQUAL, &wide);
	struct where_test and = both(WHERE_AND, &begins, &is_5);

	begins.text = "a b";
	begins.text_bytes = 3;
	begins.ends_at_nul = true;
	is_5.value = 5;
	memory.data.wide = 5;
	memcpy(memory.data.text, "a\0b", 4);
	ck_assert(!passes(&and));
	memcpy(memory.data.text, "a b", 4);
	ck_assert(passes(&and));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(terms.begin, PEAT_TERMS - 2);
}
END_TEST

/* Stacks are appended after the terms have run: they change the size. */
START_TEST(test_size_with_stacks)
{
	struct where_test test = { .op = WHERE_EQUAL, .operand = WHERE_SIZE, .mask = UINT64_MAX };

	where_terms__init(&terms, true, true);
	terms.has_stacks = true;
	ck_assert_int_eq(where_terms__add(&terms, TYPE, &test), WHERE_NOTHING);
}
END_TEST

/* Terms of several tests that are the same take the room of one. */
START_TEST(test_equal_terms)
{
	struct peat_field text = field_of(PEAT_FIELD_STRING, 0, 28);
	struct where_test a = test_of(WHERE_TEXT_EQUAL, &text), b = a;
	struct where_test or = both(WHERE_OR, &a, &b);

	a.ends_at_nul = b.ends_at_nul = true;
	a.text = "abc";
	b.text = "abd";
	a.text_bytes = b.text_bytes = 3;
	passes(& or);
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert_uint_eq(terms.begin, PEAT_TERMS - 4);
}
END_TEST

START_TEST(test_number_of_types_is_bounded)
{
	where_terms__init(&terms, true, true);
	ck_assert_int_eq(where_terms__add(&terms, TYPE, NULL), WHERE_ALL);
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, sizeof(memory.data), ""),
			  PEAT_TERM_FAIL);
	ck_assert_uint_eq(run_terms(&terms, TYPE + 1, &memory.data, sizeof(memory.data), ""),
			  PEAT_TERM_PASS);
	for (uint32_t i = 1; i < PEAT_TERM_TYPES; i++)
		ck_assert_int_eq(where_terms__add(&terms, TYPE + i, NULL), WHERE_ALL);
	ck_assert_int_eq(where_terms__add(&terms, TYPE + 9, NULL), WHERE_NOTHING);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup_leaves, NULL);
	tcase_add_test(tests, test_unsigned_terms);
	tcase_add_test(tests, test_signed_terms);
	tcase_add_test(tests, test_wide_signed);
	tcase_add_test(tests, test_network_order);
	tcase_add_test(tests, test_bit_field_terms);
	tcase_add_test(tests, test_mask_terms);
	tcase_add_test(tests, test_operands_of_all_events);
	tcase_add_test(tests, test_text_terms);
	tcase_add_test(tests, test_comm_terms);
	tcase_add_test(tests, test_address_terms);
	tcase_add_test(tests, test_and_or_not);
	tcase_add_test(tests, test_terms_are_weaker);
	tcase_add_test(tests, test_too_many_terms);
	tcase_add_test(tests, test_short_events);
	tcase_add_test(tests, test_last_text);
	tcase_add_test(tests, test_last_text_of_several_strings);
	tcase_add_test(tests, test_text_before_another_field);
	tcase_add_test(tests, test_size_with_stacks);
	tcase_add_test(tests, test_equal_terms);
	tcase_add_test(tests, test_number_of_types_is_bounded);
}
