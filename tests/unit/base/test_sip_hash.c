// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sip_hash.c: seeded hashes of keys that strangers choose. */
#include <string.h>

#include "base/sip_hash.h"
#include "unit/suite.h"

START_TEST(test_hashes_depend_on_seed)
{
	uint64_t seeds[2][2];

	sip_hash__seed(seeds[0]);
	sip_hash__seed(seeds[1]);
	ck_assert(memcmp(seeds[0], seeds[1], sizeof(seeds[0])) != 0);
	ck_assert_uint_ne(sip_hash(seeds[0], "key", 3), sip_hash(seeds[1], "key", 3));
	ck_assert_uint_eq(sip_hash(seeds[0], "key", 3), sip_hash(seeds[0], "key", 3));
	ck_assert_uint_eq(sip_hash__key("key", 3), sip_hash__key("key", 3));
}
END_TEST

/* The number of bytes counts, also if all are zero. */
START_TEST(test_lengths_change_hashes)
{
	static const char zeroes[32];

	for (size_t a = 0; a < sizeof(zeroes); a++)
		for (size_t b = 0; b < a; b++)
			ck_assert_uint_ne(sip_hash__key(zeroes, a), sip_hash__key(zeroes, b));
}
END_TEST

#define BUCKETS 1024

/* Multiples of a power of two, which a multiplier would put into one bucket. */
START_TEST(test_high_bits_spread)
{
	static uint32_t counts[BUCKETS];

	memset(counts, 0, sizeof(counts));
	for (uint64_t i = 0; i < BUCKETS; i++) {
		uint64_t key = i << 50;

		counts[sip_hash__key(&key, sizeof(key)) % BUCKETS]++;
	}
	for (unsigned int i = 0; i < BUCKETS; i++)
		ck_assert_uint_lt(counts[i], 20);
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_hashes_depend_on_seed);
	tcase_add_test(tests, test_lengths_change_hashes);
	tcase_add_test(tests, test_high_bits_spread);
}
