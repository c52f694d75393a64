// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_budget.c: from latency and memory to rings and watermarks. */
#include "ring/sizing.h"
#include "harness.h"
#include "suites.h"

#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

START_TEST(test_default_memory)
{
	ck_assert_uint_eq(budget__default_bytes(2, 24 * GIB), 2 * MIB);
	ck_assert_uint_eq(budget__default_bytes(64, 2 * GIB), 2 * GIB / 100);
	ck_assert_uint_eq(budget__default_bytes(512, 1024 * GIB), 256 * MIB);
}
END_TEST

START_TEST(test_ring_is_the_largest_that_fits)
{
	for (uint32_t cpus = 1; cpus <= 600; cpus++) {
		for (uint64_t page = 4096; page <= 65536; page *= 4) {
			uint64_t ring = budget__ring_bytes(256 * MIB, cpus, page);

			ck_assert_uint_eq(ring & (ring - 1), 0);
			ck_assert_uint_ge(ring, page);
			ck_assert(ring * cpus <= 256 * MIB);
			ck_assert(2 * ring * cpus > 256 * MIB);
		}
	}
}
END_TEST

START_TEST(test_ring_has_at_least_a_page_and_at_most_2_gib)
{
	ck_assert_uint_eq(budget__ring_bytes(1, 512, 65536), 65536);
	ck_assert_uint_eq(budget__ring_bytes(0, 1, 4096), 4096);
	ck_assert_uint_eq(budget__ring_bytes(UINT64_MAX, 1, 4096), 2 * GIB);
	ck_assert_uint_eq(budget__ring_bytes(MIB, 0, 4096), MIB);
}
END_TEST

START_TEST(test_watermark_leaves_room)
{
	ck_assert_uint_eq(budget__watermark_bytes(MIB, 0), 1);
	for (uint64_t ring = 4096; ring <= 2 * GIB; ring *= 2) {
		uint32_t watermark = budget__watermark_bytes(ring, 100);

		ck_assert_uint_gt(watermark, 1);
		ck_assert(watermark <= ring / 2);
	}
}
END_TEST

START_TEST(test_tick_is_shorter_than_the_latency)
{
	for (uint32_t latency = 2; latency < 100000; latency++) {
		ck_assert_uint_lt(budget__tick_ms(latency), latency);
		ck_assert_uint_gt(budget__tick_ms(latency), 0);
		ck_assert(budget__young_ns(latency) + budget__tick_ms(latency) * 1000000ULL <
			  latency * 1000000ULL);
	}
	ck_assert_uint_eq(budget__tick_ms(1), 1);
	ck_assert_uint_gt(budget__tick_ms(0), 0);
}
END_TEST

Suite *budget_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("budget", 10, &tests);

	tcase_add_test(tests, test_default_memory);
	tcase_add_test(tests, test_ring_is_the_largest_that_fits);
	tcase_add_test(tests, test_ring_has_at_least_a_page_and_at_most_2_gib);
	tcase_add_test(tests, test_watermark_leaves_room);
	tcase_add_test(tests, test_tick_is_shorter_than_the_latency);
	return suite;
}
