// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sizing.c: ring sizes, watermarks and ticks from latency and memory. */
#include "ring/sizing.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

START_TEST(test_default_memory)
{
	ck_assert_uint_eq(sizing__default_bytes(2, 24 * GIB), 2 * MIB);
	ck_assert_uint_eq(sizing__default_bytes(64, 2 * GIB), 2 * GIB / 100);
	ck_assert_uint_eq(sizing__default_bytes(512, 1024 * GIB), 256 * MIB);
}
END_TEST

START_TEST(test_largest_ring_that_fits)
{
	for (uint32_t cpus = 1; cpus <= 600; cpus++) {
		for (uint64_t page = 4096; page <= 65536; page *= 4) {
			uint64_t ring = sizing__ring_bytes(256 * MIB, cpus, page);

			ck_assert_uint_eq(ring & (ring - 1), 0);
			ck_assert_uint_ge(ring, page);
			ck_assert(ring * cpus <= 256 * MIB);
			ck_assert(2 * ring * cpus > 256 * MIB);
		}
	}
}
END_TEST

START_TEST(test_ring_is_between_a_page_and_2_gib)
{
	ck_assert_uint_eq(sizing__ring_bytes(1, 512, 65536), 65536);
	ck_assert_uint_eq(sizing__ring_bytes(0, 1, 4096), 4096);
	ck_assert_uint_eq(sizing__ring_bytes(UINT64_MAX, 1, 4096), 2 * GIB);
	ck_assert_uint_eq(sizing__ring_bytes(MIB, 0, 4096), MIB);
}
END_TEST

START_TEST(test_rings_that_overwrite)
{
	ck_assert_uint_eq(sizing__overwrite_bytes(1, 4096), 4096);
	ck_assert_uint_eq(sizing__overwrite_bytes(4096, 4096), 4096);
	ck_assert_uint_eq(sizing__overwrite_bytes(4097, 4096), 8192);
	ck_assert_uint_eq(sizing__overwrite_bytes(1, 65536), 65536);
	ck_assert_uint_eq(sizing__overwrite_bytes(3 * MIB, 4096), 4 * MIB);
	ck_assert_uint_eq(sizing__overwrite_bytes(2 * GIB, 4096), 2 * GIB);
	ck_assert_uint_eq(sizing__overwrite_bytes(UINT64_MAX, 4096), 2 * GIB);
}
END_TEST

START_TEST(test_watermark_leaves_half_the_ring)
{
	ck_assert_uint_eq(sizing__watermark_bytes(MIB, 0), 1);
	for (uint64_t ring = 4096; ring <= 2 * GIB; ring *= 2) {
		uint32_t watermark = sizing__watermark_bytes(ring, 100);

		ck_assert_uint_gt(watermark, 1);
		ck_assert(watermark <= ring / 2);
	}
}
END_TEST

START_TEST(test_tick_is_shorter_than_the_latency)
{
	for (uint32_t latency = 2; latency < 100000; latency++) {
		ck_assert_uint_lt(sizing__tick_ms(latency), latency);
		ck_assert_uint_gt(sizing__tick_ms(latency), 0);
		ck_assert(sizing__min_age_ns(latency) + sizing__tick_ms(latency) * 1000000ULL <
			  latency * 1000000ULL);
	}
	ck_assert_uint_eq(sizing__tick_ms(1), 1);
	ck_assert_uint_gt(sizing__tick_ms(0), 0);
}
END_TEST

START_TEST(test_exact_values)
{
	ck_assert_uint_eq(sizing__ring_bytes(3 * MIB, 2, 4096), MIB);
	ck_assert_uint_eq(sizing__ring_bytes(4 * MIB, 2, 4096), 2 * MIB);
	ck_assert_uint_eq(sizing__watermark_bytes(65536, 1), 16384);
	ck_assert_uint_eq(sizing__tick_ms(0), 100);
	ck_assert_uint_eq(sizing__tick_ms(2), 1);
	ck_assert_uint_eq(sizing__tick_ms(100), 75);
	ck_assert_uint_eq(sizing__tick_ms(UINT32_MAX), 3221225471);
	ck_assert_uint_eq(sizing__min_age_ns(0), 0);
	ck_assert_uint_eq(sizing__min_age_ns(100), 12500000);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_exact_values);
	tcase_add_test(tests, test_default_memory);
	tcase_add_test(tests, test_largest_ring_that_fits);
	tcase_add_test(tests, test_ring_is_between_a_page_and_2_gib);
	tcase_add_test(tests, test_rings_that_overwrite);
	tcase_add_test(tests, test_watermark_leaves_half_the_ring);
	tcase_add_test(tests, test_tick_is_shorter_than_the_latency);
}
