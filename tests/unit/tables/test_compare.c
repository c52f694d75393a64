// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_compare.c: the order of values of every kind. */
#include <math.h>

#include "tables/compare.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

/* -1, 0 or 1; the reverse has to be the opposite, and the ranks have to agree. */
static int compare(const struct peat_field *field, const void *a, uint32_t a_bytes, const void *b,
		   uint32_t b_bytes)
{
	int one = table_compare(field, a, a_bytes, b, b_bytes);
	int other = table_compare(field, b, b_bytes, a, a_bytes);
	uint64_t a_rank = table_compare__rank(field, a, a_bytes);
	uint64_t b_rank = table_compare__rank(field, b, b_bytes);

	if (a_rank != b_rank)
		ck_assert_int_eq(one < 0, a_rank < b_rank);
	ck_assert_int_eq((one > 0) - (one < 0), (other < 0) - (other > 0));
	return (one > 0) - (one < 0);
}

#define COMPARE(field, type, a, b)                                                                 \
	compare(field, &(type){ a }, sizeof(type), &(type){ b }, sizeof(type))

START_TEST(test_compares_numbers)
{
	struct peat_field field = { .kind = PEAT_FIELD_SIGNED, .span = 1, .bytes = 4 };

	ck_assert_int_eq(COMPARE(&field, int32_t, -1, 1), 1);
	field.is_signed = true;
	ck_assert_int_eq(COMPARE(&field, int32_t, -1, 1), -1);
	ck_assert_int_eq(COMPARE(&field, int32_t, 3, 3), 0);
	field.big_endian = true;
	ck_assert_int_eq(compare(&field, "\0\0\1\0", 4, "\0\0\0\1", 4), 1);
}
END_TEST

/* NaN is after every number, and equal to itself. */
START_TEST(test_compares_floats)
{
	struct peat_field field = { .kind = PEAT_FIELD_FLOAT, .span = 1, .bytes = 8 };

	ck_assert_int_eq(COMPARE(&field, double, -1.5, 0.25), -1);
	ck_assert_int_eq(COMPARE(&field, double, -0.0, 0.0), 0);
	ck_assert_int_eq(COMPARE(&field, double, INFINITY, NAN), -1);
	ck_assert_int_eq(COMPARE(&field, double, NAN, NAN), 0);
	field.bytes = 4;
	ck_assert_int_eq(COMPARE(&field, float, 2, 1), 1);
}
END_TEST

START_TEST(test_compares_strings)
{
	struct peat_field field = { .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 4 };

	ck_assert_int_eq(compare(&field, "ab\0z", 4, "ab\0y", 4), 0);
	ck_assert_int_eq(compare(&field, "ab\0z", 4, "abc", 4), -1);
	ck_assert_int_eq(compare(&field, "\xff\0\0", 4, "a\0\0", 4), 1);
	field.kind = PEAT_FIELD_BYTES;
	ck_assert_int_eq(compare(&field, "ab\0z", 4, "ab\0y", 4), 1);
	field.kind = PEAT_FIELD_IPV4;
	ck_assert_int_eq(compare(&field, "\x0a\0\0\1", 4, "\xc0\0\0\0", 4), -1);
}
END_TEST

/* Missing values are the first ones. */
START_TEST(test_missing_values_are_first)
{
	struct peat_field field = {
		.kind = PEAT_FIELD_UNSIGNED, .span = 1, .offset = 4, .bytes = 4
	};

	ck_assert_int_eq(compare(&field, "12345678", 4, "12345678", 8), -1);
	ck_assert_int_eq(compare(&field, "12345678", 4, "12345678", 0), 0);
}
END_TEST

START_TEST(test_compares_structs)
{
	struct pair {
		uint32_t a, b;
	};
	struct peat_field fields[] = {
		{ .name = "pair", .kind = PEAT_FIELD_STRUCT, .span = 3, .bytes = 8 },
		FIELD(pair, a, UNSIGNED),
		FIELD(pair, b, UNSIGNED),
	};
	const struct pair one = { 256, 1 }, two = { 1, 256 }, three = { 256, 2 };

	ck_assert_int_eq(compare(fields, &one, 8, &two, 8), 1);
	ck_assert_int_eq(compare(fields, &one, 8, &three, 8), -1);
	ck_assert_int_eq(compare(fields, &one, 8, &one, 8), 0);
}
END_TEST

START_TEST(test_compares_arrays)
{
	struct peat_field fields[] = {
		{ .name = "args", .kind = PEAT_FIELD_ARRAY, .span = 2, .bytes = 8, .count = 2 },
		{ .name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
	};
	const uint32_t one[] = { 7, 256 }, two[] = { 7, 9 }, three[] = { 8, 0 };

	ck_assert_int_eq(compare(fields, one, 8, two, 8), 1);
	ck_assert_int_eq(compare(fields, one, 4, two, 8), -1);
	ck_assert_int_eq(compare(fields, one, 8, three, 8), -1);
	fields[0].bytes = 0;
	fields[0].count = 0;
	ck_assert_int_eq(compare(fields, one, 8, two, 8), 1);
	ck_assert_int_eq(compare(fields, one, 4, two, 8), -1);
}
END_TEST

/* Ranks tell most values apart. */
START_TEST(test_ranks_agree_with_order)
{
	struct peat_field text = { .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 16 };
	struct peat_field number = { .kind = PEAT_FIELD_SIGNED, .span = 1, .bytes = 4 };

	ck_assert_uint_eq(table_compare__rank(&text, "ab\0yyyyyyyyyyyy", 16), 0x6162ULL << 48);
	ck_assert_uint_eq(table_compare__rank(&text, "12345678abcdefg", 16), 0x3132333435363738);
	ck_assert_uint_eq(table_compare__rank(&text, "", 0), 0);
	number.is_signed = true;
	ck_assert_uint_eq(table_compare__rank(&number, &(int32_t){ -1 }, 4), INT64_MAX);
	ck_assert_uint_eq(table_compare__rank(&number, &(int32_t){ 0 }, 4), 1ULL << 63);
	number.is_signed = false;
	ck_assert_uint_eq(table_compare__rank(&number, &(int32_t){ -1 }, 4), UINT32_MAX);
	ck_assert_int_eq(compare(&text, "12345678ab\0xxxx", 16, "12345678abc\0xxx", 16), -1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_compares_numbers);
	tcase_add_test(tests, test_compares_floats);
	tcase_add_test(tests, test_compares_strings);
	tcase_add_test(tests, test_missing_values_are_first);
	tcase_add_test(tests, test_compares_structs);
	tcase_add_test(tests, test_compares_arrays);
	tcase_add_test(tests, test_ranks_agree_with_order);
}
