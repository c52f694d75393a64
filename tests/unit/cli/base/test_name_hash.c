// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_name_hash.c: names chosen to collide, and names that are alike. */
#include <string.h>

#include "cli/base/name_hash.h"
#include "unit/suite.h"

#define PAIRS	   12
#define PAIR_BYTES 3
#define NAMES	   (1u << PAIRS)
#define BUCKETS	   (1u << 16)

/* A hash without a seed, whose collisions everybody can find: FNV-1a, the lower bits of it. */
static uint32_t add_fnv(uint32_t hash, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x1b3;
	return hash & (BUCKETS - 1);
}

static void write_text(char text[PAIR_BYTES], unsigned number)
{
	for (int i = 0; i < PAIR_BYTES; i++, number /= 64)
		text[i] = (char)('0' + number % 64);
}

/* Finds two texts that lead from a hash to the same one, which it returns. */
static uint32_t find_pair(uint32_t hash, char pair[2][PAIR_BYTES])
{
	static unsigned found[BUCKETS];

	memset(found, 0, sizeof(found));
	for (unsigned i = 1;; i++) {
		uint32_t next;

		write_text(pair[1], i);
		next = add_fnv(hash, pair[1], PAIR_BYTES);
		if (found[next]) {
			write_text(pair[0], found[next]);
			return next;
		}
		found[next] = i;
	}
}

/* Each choice of one text of each pair is a name: all have one hash by FNV-1a. */
START_TEST(test_chosen_names)
{
	static unsigned char is_used[BUCKETS];
	char pairs[PAIRS][2][PAIR_BYTES], name[PAIRS * PAIR_BYTES + 1] = "";
	uint32_t fnv = 0x2325, used = 0;

	memset(is_used, 0, sizeof(is_used));
	for (int i = 0; i < PAIRS; i++)
		fnv = find_pair(fnv, pairs[i]);
	for (uint32_t choice = 0; choice < NAMES; choice++) {
		uint64_t hash;

		for (int i = 0; i < PAIRS; i++)
			memcpy(name + i * PAIR_BYTES, pairs[i][choice >> i & 1], PAIR_BYTES);
		ck_assert_uint_eq(add_fnv(0x2325, name, strlen(name)), fnv);
		hash = name_hash__text(name_hash__start(), name) % BUCKETS;
		used += !is_used[hash];
		is_used[hash] = 1;
	}
	ck_assert_uint_gt(used, NAMES * 9 / 10);
}
END_TEST

START_TEST(test_alike_texts_differ)
{
	static const char *const texts[] = { NULL, "",	       "a",	   "b",
					     "ab", "abcdefgh", "abcdefgi", "abcdefghi" };
	const uint64_t start = name_hash__start();
	const size_t count = sizeof(texts) / sizeof(*texts);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			uint64_t one = name_hash__text(start, texts[i]);
			uint64_t other = name_hash__text(start, texts[j]);

			ck_assert_int_eq(one == other, i == j);
		}
	ck_assert_uint_ne(name_hash__text(name_hash__text(start, "ab"), "c"),
			  name_hash__text(name_hash__text(start, "a"), "bc"));
	ck_assert_uint_ne(name_hash__number(start, 1), name_hash__number(start, 2));
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_chosen_names);
	tcase_add_test(tests, test_alike_texts_differ);
}
