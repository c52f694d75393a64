// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_histogram.c: histograms as bars and as JSON. */
#include <string.h>

#include "print/histogram.h"
#include "unit/suite.h"

#define FULL "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
#define NONE "|                                        |\n"

typedef void (*append_fn)(struct strbuf *out, const struct histogram *histogram);

static void check_text(append_fn append, const struct histogram *histogram, const char *wanted)
{
	struct strbuf out = { 0 };

	append(&out, histogram);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

static void check(const struct histogram *histogram, const char *bars, const char *json)
{
	check_text(histogram__append, histogram, bars);
	check_text(histogram__append_json, histogram, json);
}

START_TEST(test_empty_histogram)
{
	const struct histogram none = { .width = 1 };

	check(&none, "", "[]");
}
END_TEST

START_TEST(test_powers_of_two)
{
	struct histogram numbers = { .slots = { [0] = 4, [1] = 2, [2] = 1 } };

	check(&numbers,
	      "[0, 2)                    4 " FULL
	      "[2, 4)                    2 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	      "[4, 8)                    1 |@@@@@@@@@@                              |\n",
	      "[{\"min\":0,\"max\":1,\"count\":4},{\"min\":2,\"max\":3,\"count\":2},"
	      "{\"min\":4,\"max\":7,\"count\":1}]");
	memset(numbers.slots, 0, sizeof(numbers.slots));
	numbers.negative = 1;
	numbers.slots[10] = 1;
	check(&numbers, "(..., 0)                  1 " FULL "[1K, 2K)                  1 " FULL,
	      "[{\"min\":null,\"max\":-1,\"count\":1},{\"min\":1024,\"max\":2047,\"count\":1}]");
}
END_TEST

START_TEST(test_last_slot)
{
	struct histogram last = { .slots = { [PEAT_TABLE_SLOTS - 1] = 1 } };

	check(&last, "[8E, ...)                 1 " FULL,
	      "[{\"min\":9223372036854775808,\"max\":null,\"count\":1}]");
	last.is_linear = true;
	last.first = -10;
	last.width = 10;
	check(&last, "[620, ...)                1 " FULL,
	      "[{\"min\":620,\"max\":null,\"count\":1}]");
}
END_TEST

START_TEST(test_linear_slots)
{
	const struct histogram histogram = {
		.slots = { [0] = 1, [2] = 1 }, .is_linear = true, .first = -10, .width = 10
	};

	check(&histogram,
	      "(..., 0)                  1 " FULL "[0, 10)                   0 " NONE
	      "[10, 20)                  1 " FULL,
	      "[{\"min\":null,\"max\":-1,\"count\":1},{\"min\":0,\"max\":9,\"count\":0},"
	      "{\"min\":10,\"max\":19,\"count\":1}]");
}
END_TEST

START_TEST(test_limits_in_units)
{
	struct histogram histogram = { .slots = { [10] = 1 }, .unit = PEAT_FIELD_DURATION };

	check(&histogram, "[1.024us, 2.048us)          1 " FULL,
	      "[{\"min\":1024,\"max\":2047,\"count\":1}]");
	histogram.unit = PEAT_FIELD_SIZE;
	check(&histogram, "[1K, 2K)                  1 " FULL,
	      "[{\"min\":1024,\"max\":2047,\"count\":1}]");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_empty_histogram);
	tcase_add_test(tests, test_powers_of_two);
	tcase_add_test(tests, test_last_slot);
	tcase_add_test(tests, test_linear_slots);
	tcase_add_test(tests, test_limits_in_units);
}
