// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_number_hash.c: seeded hashes of numbers. */
#include <string.h>

#include "base/number_hash.h"
#include "unit/suite.h"

#define BUCKETS 1024u

/* The most numbers that a bucket has of BUCKETS numbers: first, first + step ... */
static uint32_t fullest_bucket(const uint64_t seed[2], uint64_t first, uint64_t step)
{
	uint32_t counts[BUCKETS] = { 0 }, most = 0;

	for (uint64_t i = 0; i < BUCKETS; i++) {
		uint32_t *count = &counts[number_hash(seed, first + i * step) % BUCKETS];

		most = ++*count > most ? *count : most;
	}
	return most;
}

/* Ids in order, multiples of each power of two, and multiples of an inverse of a multiplier. */
START_TEST(test_regular_numbers_spread)
{
	for (int i = 0; i < 50; i++) {
		uint64_t seed[2];

		sip_hash__seed(seed);
		for (unsigned shift = 0; shift <= 54; shift++)
			ck_assert_uint_lt(fullest_bucket(seed, 1, UINT64_C(1) << shift), 40);
		ck_assert_uint_lt(fullest_bucket(seed, 1, UINT64_C(0xf1de83e19937733d)), 40);
	}
}
END_TEST

/* Numbers that collide with one seed do not with another one. */
START_TEST(test_collisions_depend_on_seed)
{
	uint64_t seed[2], other[2], collide[64];
	uint32_t counts[BUCKETS] = { 0 }, most = 0, found = 0;

	sip_hash__seed(seed);
	sip_hash__seed(other);
	for (uint64_t i = 0; found < 64; i++)
		if (number_hash(seed, i) % BUCKETS == 7)
			collide[found++] = i;
	for (uint32_t i = 0; i < found; i++) {
		uint32_t *count = &counts[number_hash(other, collide[i]) % BUCKETS];

		most = ++*count > most ? *count : most;
	}
	ck_assert_uint_lt(most, 16);
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_regular_numbers_spread);
	tcase_add_test(tests, test_collisions_depend_on_seed);
}
