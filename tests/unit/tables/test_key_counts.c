// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_key_counts.c: sums, borders of histograms, and the columns of values. */
#include "tables/key_counts.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

static struct key_counts counts_of(const struct table_numbers *numbers, const uint64_t *list,
				   size_t count)
{
	struct key_counts counts = { 0 };

	for (size_t i = 0; i < count; i++)
		key_counts__add(&counts, numbers, list[i]);
	ck_assert_uint_eq(counts.count, count);
	return counts;
}

/* The slot of a number. */
static uint32_t slot_of(const struct table_numbers *numbers, uint64_t number)
{
	struct key_counts counts = counts_of(numbers, &number, 1);
	uint32_t slot = 0;

	while (slot < PEAT_TABLE_SLOTS && !counts.slots[slot])
		slot++;
	ck_assert_uint_lt(slot, PEAT_TABLE_SLOTS);
	return slot;
}

START_TEST(test_slots_of_log2)
{
	const struct table_numbers numbers = { .values = PEAT_TABLE_LOG2 };

	ck_assert_uint_eq(slot_of(&numbers, 0), 0);
	for (uint32_t i = 0; i < 64; i++) {
		ck_assert_uint_eq(slot_of(&numbers, 1ULL << i), i);
		ck_assert_uint_eq(slot_of(&numbers, 2 * ((1ULL << i) - 1) + 1), i);
	}
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 63);
}
END_TEST

/* Numbers below 0 are in a column before the slots. */
START_TEST(test_log2_negative)
{
	const struct table_numbers numbers = { .values = PEAT_TABLE_LOG2, .is_signed = true };
	const uint64_t list[] = {
		(uint64_t)INT64_MIN, (uint64_t)-1, 0, 1, INT64_MAX, (uint64_t)-7
	};
	struct key_counts counts = counts_of(&numbers, list, COUNT_OF(list));
	uint64_t row[2 + PEAT_TABLE_SLOTS];

	ck_assert_uint_eq(key_counts__row_bytes(&numbers), sizeof(row));
	key_counts__store(&counts, &numbers, (char *)row);
	ck_assert_uint_eq(row[0], 6);
	ck_assert_uint_eq(row[1], 3);
	ck_assert_uint_eq(row[2], 2);
	ck_assert_uint_eq(row[2 + 62], 1);
	ck_assert_uint_eq(row[2 + 63], 0);
}
END_TEST

START_TEST(test_slots_of_linear)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_LINEAR,
					 .linear_first = 100,
					 .linear_width = 10 };

	ck_assert_uint_eq(slot_of(&numbers, 0), 0);
	ck_assert_uint_eq(slot_of(&numbers, 99), 0);
	ck_assert_uint_eq(slot_of(&numbers, 100), 0);
	ck_assert_uint_eq(slot_of(&numbers, 109), 0);
	ck_assert_uint_eq(slot_of(&numbers, 110), 1);
	ck_assert_uint_eq(slot_of(&numbers, 100 + 630), 63);
	ck_assert_uint_eq(slot_of(&numbers, 100 + 629), 62);
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 63);
	numbers.is_signed = true;
	ck_assert_uint_eq(slot_of(&numbers, (uint64_t)INT64_MIN), 0);
	ck_assert_uint_eq(slot_of(&numbers, 119), 1);
	ck_assert_uint_eq(slot_of(&numbers, INT64_MAX), 63);
}
END_TEST

START_TEST(test_linear_from_below_0)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_LINEAR,
					 .is_signed = true,
					 .linear_first = -20,
					 .linear_width = 10 };

	ck_assert_uint_eq(slot_of(&numbers, (uint64_t)-21), 0);
	ck_assert_uint_eq(slot_of(&numbers, (uint64_t)-11), 0);
	ck_assert_uint_eq(slot_of(&numbers, (uint64_t)-10), 1);
	ck_assert_uint_eq(slot_of(&numbers, 0), 2);
	numbers.is_signed = false;
	ck_assert_uint_eq(slot_of(&numbers, 0), 2);
	ck_assert_uint_eq(slot_of(&numbers, 29), 4);
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 63);
}
END_TEST

/* Distances of 2^64 and more. */
START_TEST(test_linear_wide)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_LINEAR,
					 .linear_first = INT64_MIN,
					 .linear_width = 1ULL << 62 };

	ck_assert_uint_eq(slot_of(&numbers, 0), 2);
	ck_assert_uint_eq(slot_of(&numbers, (1ULL << 63) - 1), 3);
	ck_assert_uint_eq(slot_of(&numbers, 1ULL << 63), 4);
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 5);
	numbers.linear_width = UINT64_MAX;
	ck_assert_uint_eq(slot_of(&numbers, (1ULL << 63) - 1), 1);
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 1);
	numbers.linear_width = 1ULL << 60;
	ck_assert_uint_eq(slot_of(&numbers, UINT64_MAX), 23);
	numbers.is_signed = true;
	numbers.linear_width = 1ULL << 62;
	ck_assert_uint_eq(slot_of(&numbers, INT64_MAX), 3);
}
END_TEST

START_TEST(test_sums_and_bounds)
{
	const uint32_t all = PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN | PEAT_TABLE_MAX;
	struct table_numbers numbers = { .values = all, .is_signed = true, .has_unit = true };
	const uint64_t list[] = { 5, (uint64_t)-9, 1 };
	struct key_counts counts = counts_of(&numbers, list, 3);
	int64_t row[5];

	ck_assert_uint_eq(key_counts__row_bytes(&numbers), sizeof(row));
	key_counts__store(&counts, &numbers, (char *)row);
	ck_assert_int_eq(row[0], 3);
	ck_assert_int_eq(row[1], -3);
	ck_assert_int_eq(row[2], -1);
	ck_assert_int_eq(row[3], -9);
	ck_assert_int_eq(row[4], 5);
	numbers.is_signed = false;
	counts = counts_of(&numbers, list, 3);
	key_counts__store(&counts, &numbers, (char *)row);
	ck_assert_int_eq(row[3], 1);
	ck_assert_int_eq(row[4], -9);
}
END_TEST

static double average(const struct table_numbers *numbers, const uint64_t *list, uint32_t count)
{
	struct key_counts counts = counts_of(numbers, list, count);
	double row[2];

	key_counts__store(&counts, numbers, (char *)row);
	return row[1];
}

START_TEST(test_average_has_fraction)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_AVERAGE, .is_signed = true };
	const uint64_t list[] = { (uint64_t)-5, (uint64_t)-6, 3 };

	ck_assert_double_eq(average(&numbers, list, 2), -5.5);
	numbers.is_signed = false;
	ck_assert_double_eq(average(&numbers, list + 2, 1), 3);
	ck_assert_double_eq(average(&numbers, list + 1, 1), 18446744073709551610.0);
}
END_TEST

/* Averages of times and sizes are rounded towards 0. */
START_TEST(test_average_of_unit)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_AVERAGE,
					 .is_signed = true,
					 .has_unit = true };
	const uint64_t list[] = { (uint64_t)-5, (uint64_t)-6, 0, UINT64_MAX - 1 };
	struct key_counts counts = counts_of(&numbers, list, 2);
	int64_t row[2];

	key_counts__store(&counts, &numbers, (char *)row);
	ck_assert_int_eq(row[1], -5);
	numbers.is_signed = false;
	counts = counts_of(&numbers, list + 2, 2);
	key_counts__store(&counts, &numbers, (char *)row);
	ck_assert_int_eq(row[1], INT64_MAX);
}
END_TEST

START_TEST(test_merged_parts_equal_whole)
{
	const struct table_numbers numbers = { .values = PEAT_TABLE_MIN | PEAT_TABLE_LOG2,
					       .is_signed = true };
	const uint64_t list[] = { 9, (uint64_t)-4, 300, 2 };
	struct key_counts whole = counts_of(&numbers, list, 4), sum = { 0 };
	const struct key_counts parts[] = { counts_of(&numbers, list, 1),
					    counts_of(&numbers, list, 0),
					    counts_of(&numbers, list + 1, 3) };

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		key_counts__merge(&sum, &numbers, &parts[i]);
	ck_assert_mem_eq(&sum, &whole, sizeof(sum));
	ck_assert_int_eq((int64_t)sum.min, -4);
	ck_assert_int_eq((int64_t)sum.max, 300);
}
END_TEST

/* Tables that only count need 8 bytes for each key, and the others are not touched. */
START_TEST(test_bytes_of_counts)
{
	struct table_numbers numbers = { .values = PEAT_TABLE_COUNT };
	struct key_counts counts = { 0 }, more = { .count = 2, .sum = 5, .max = 6 };

	ck_assert_uint_eq(key_counts__bytes(&numbers), 8);
	key_counts__add(&counts, &numbers, 7);
	key_counts__merge(&counts, &numbers, &more);
	ck_assert_uint_eq(counts.count, 3);
	ck_assert_uint_eq(counts.sum + counts.min + counts.max + counts.slots[2], 0);
	numbers.values = PEAT_TABLE_MAX;
	ck_assert_uint_eq(key_counts__bytes(&numbers), 32);
	numbers.values = PEAT_TABLE_LINEAR;
	ck_assert_uint_eq(key_counts__bytes(&numbers), sizeof(struct key_counts));
}
END_TEST

START_TEST(test_columns_by_name)
{
	static const char *const names[] = { "count", "sum", "average", "min", "max" };

	for (uint32_t i = 0; i < COUNT_OF(names); i++) {
		ck_assert_uint_eq(key_counts__value(names[i]), 1U << i);
		ck_assert(key_counts__is_column(names[i]));
	}
	ck_assert_uint_eq(key_counts__value("slots"), 0);
	ck_assert(key_counts__is_column("slots"));
	ck_assert(key_counts__is_column("negative"));
	ck_assert(!key_counts__is_column("counts"));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_slots_of_log2);
	tcase_add_test(tests, test_log2_negative);
	tcase_add_test(tests, test_slots_of_linear);
	tcase_add_test(tests, test_linear_from_below_0);
	tcase_add_test(tests, test_linear_wide);
	tcase_add_test(tests, test_sums_and_bounds);
	tcase_add_test(tests, test_average_has_fraction);
	tcase_add_test(tests, test_average_of_unit);
	tcase_add_test(tests, test_merged_parts_equal_whole);
	tcase_add_test(tests, test_bytes_of_counts);
	tcase_add_test(tests, test_columns_by_name);
}
