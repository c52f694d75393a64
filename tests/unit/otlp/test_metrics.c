// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_metrics.c: points as metrics; test_otlp.c has other programs read them. */
#include "otlp/metrics.h"
#include "otlp_events.h"
#include "otlp_messages.h"
#include "unit/suite.h"

enum { GAUGE = 5, SUM = 7, HISTOGRAM = 9, EXPONENTIAL = 10 };

static struct strbuf out;

/* Metric `nth` of the batch, which is freed after the last one. */
static struct protobuf_message metric_of(const struct peat_batch *batch, unsigned nth)
{
	const struct strbuf resource = { 0 };

	strbuf__cut(&out, 0);
	otlp_metrics__append(&out, &resource, batch);
	return inner(inner(inner(whole(&out), 1, 0), 2, 0), 2, nth);
}

static double double_in(struct protobuf_message message, uint32_t number)
{
	const uint64_t bits = number_in(message, number);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

START_TEST(test_counters_of_one_name)
{
	struct peat_batch *batch = new_batch();
	struct protobuf_message metric, sum;
	struct protobuf_field field;

	add_counter(batch, "peat.a", "0", 3);
	add_counter(batch, "peat.a", "1", UINT64_MAX);
	add_counter(batch, "peat.b", "0", 5);
	metric = metric_of(batch, 0);
	check_text(metric, 1, "peat.a");
	check_text(metric, 3, "{event}");
	sum = inner(metric, SUM, 0);
	ck_assert_uint_eq(number_in(sum, 2), 2);
	ck_assert_uint_eq(number_in(sum, 3), 1);
	ck_assert_uint_eq(number_in(inner(sum, 1, 0), 6), 3);
	ck_assert_uint_eq(number_in(inner(sum, 1, 0), 2), OTLP_WALL_CLOCK);
	check_text(attribute(inner(sum, 1, 1), 7, "cpu"), 1, "1");
	ck_assert(double_in(inner(sum, 1, 1), 4) == 0x1p64); /* too large for as_int */
	ck_assert(!find_field(sum, 1, 2, &field));
	check_text(metric_of(batch, 1), 1, "peat.b");
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_gauge_has_a_value)
{
	struct peat_batch *batch = new_batch();
	struct protobuf_message point;
	struct protobuf_field field;

	add_gauge(batch, -2.5);
	point = inner(inner(metric_of(batch, 0), GAUGE, 0), 1, 0);
	ck_assert(double_in(point, 4) == -2.5);
	ck_assert_uint_eq(number_in(point, 3), OTLP_WALL_CLOCK + 1);
	ck_assert(!find_field(point, 2, 0, &field));
	peat_batch__unref(batch);
}
END_TEST

/* Counts of the buckets that begin at number `at` in a packed array. */
static uint64_t packed_fixed64(struct protobuf_message array, unsigned at)
{
	uint64_t value;

	ck_assert_uint_ge((size_t)(array.end - array.at), (at + 1) * sizeof(value));
	memcpy(&value, array.at + at * sizeof(value), sizeof(value));
	return value;
}

START_TEST(test_explicit_histogram)
{
	const struct peat_bucket buckets[] = { { 1, 7 }, { 2, 8 }, { 4, 9 }, { INFINITY, 1 } };
	struct peat_batch *batch = new_batch();
	struct protobuf_message point;

	add_histogram(batch, "peat.size", buckets, 4, 99);
	point = inner(inner(metric_of(batch, 0), HISTOGRAM, 0), 1, 0);
	ck_assert_uint_eq(number_in(point, 4), 25);
	ck_assert(double_in(point, 5) == 99);
	ck_assert_uint_eq(packed_fixed64(inner(point, 6, 0), 0), 7);
	ck_assert_uint_eq(packed_fixed64(inner(point, 6, 0), 3), 1);
	ck_assert_int_eq(inner(point, 7, 0).end - inner(point, 7, 0).at, 3 * 8);
	peat_batch__unref(batch);
}
END_TEST

/* Numbers above 4 and up to 8 are in bucket 2 of scale 0. */
START_TEST(test_exponential_histogram)
{
	struct peat_batch *batch = new_batch();
	struct protobuf_message point, counts;
	struct protobuf_field field;

	add_log2_histogram(batch, 0, 2);
	point = inner(inner(metric_of(batch, 0), EXPONENTIAL, 0), 1, 0);
	ck_assert_uint_eq(number_in(point, 6), 0);
	ck_assert_uint_eq(number_in(point, 7), 5);
	ck_assert(double_in(point, 14) == 1);
	ck_assert(!find_field(point, 5, 0, &field)); /* the sum is not known */
	ck_assert_uint_eq(number_in(inner(point, 8, 0), 1), 2 << 1);
	counts = inner(inner(point, 8, 0), 2, 0);
	ck_assert_int_eq(counts.end - counts.at, 61); /* 8 to 2^63, each a byte */
	ck_assert_uint_eq(*counts.at, 2);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_exponential_below_1)
{
	struct peat_batch *batch = new_batch();

	add_log2_histogram(batch, -10, 1);
	/* The first bucket with a count is (2^-8, 2^-7]. */
	ck_assert_uint_eq(
		number_in(inner(inner(inner(metric_of(batch, 0), EXPONENTIAL, 0), 1, 0), 8, 0), 1),
		(8 << 1) - 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_empty_exponential_histogram)
{
	struct peat_batch *batch = new_batch();
	struct protobuf_field field;

	add_log2_histogram(batch, 0, 0);
	ck_assert(
		!find_field(inner(inner(metric_of(batch, 0), EXPONENTIAL, 0), 1, 0), 8, 0, &field));
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_bounds_that_are_not_exponential)
{
	static const struct peat_bucket buckets[][4] = {
		{ { 0x1p61, 0 }, { 0x1p62, 0 }, { 0x1p62 + 0x1p20, 0 }, { INFINITY, 0 } },
		{ { 3, 0 }, { 6, 0 }, { 12, 0 }, { INFINITY, 0 } },
		{ { 0, 0 }, { 0x1p62, 0 }, { 0x1p63, 0 }, { INFINITY, 0 } },
		{ { 0x1p60, 0 }, { 0x1p62, 0 }, { 0x1p63, 0 }, { INFINITY, 0 } },
	};

	for (unsigned i = 0; i < 4; i++) {
		struct peat_batch *batch = new_batch();
		struct protobuf_field field;

		add_histogram(batch, "peat.size", buckets[i], 4, NAN);
		ck_assert(find_field(metric_of(batch, 0), HISTOGRAM, 0, &field));
		peat_batch__unref(batch);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_counters_of_one_name);
	tcase_add_test(tests, test_gauge_has_a_value);
	tcase_add_test(tests, test_explicit_histogram);
	tcase_add_test(tests, test_exponential_histogram);
	tcase_add_test(tests, test_exponential_below_1);
	tcase_add_test(tests, test_empty_exponential_histogram);
	tcase_add_test(tests, test_bounds_that_are_not_exponential);
}
