// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_hash.c: keys of all lengths, found, added and iterated. */
#include <stdlib.h>
#include <string.h>

#include "tables/hash.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static uint64_t *add(struct table_hash *hash, const void *key, uint32_t bytes, bool expect_new)
{
	bool is_new = !expect_new;
	uint64_t *value = table_hash__add(hash, key, bytes, &is_new);

	ck_assert_ptr_nonnull(value);
	ck_assert_int_eq(is_new, expect_new);
	return value;
}

START_TEST(test_adds_once)
{
	struct table_hash hash;
	uint64_t *value;

	table_hash__init(&hash, 16);
	ck_assert_ptr_null(table_hash__find(&hash, "a", 1));
	value = add(&hash, "a", 1, true);
	ck_assert_uint_eq(value[0], 0);
	ck_assert_uint_eq(value[1], 0);
	value[1] = 7;
	ck_assert_ptr_eq(add(&hash, "a", 1, false), value);
	ck_assert_ptr_eq(table_hash__find(&hash, "a", 1), value);
	ck_assert_uint_eq(hash.count, 1);
	table_hash__clear(&hash);
	ck_assert_ptr_null(table_hash__find(&hash, "a", 1));
	add(&hash, "a", 1, true);
	table_hash__clear(&hash);
}
END_TEST

/* Zeroes of another number are another key, and so is no byte at all. */
START_TEST(test_lengths_make_other_keys)
{
	static const char zeroes[64];
	struct table_hash hash;
	size_t at = 0;

	table_hash__init(&hash, 8);
	for (uint32_t bytes = 0; bytes <= sizeof(zeroes); bytes++)
		*add(&hash, zeroes, bytes, true) = bytes + 1;
	for (uint32_t bytes = 0; bytes <= sizeof(zeroes); bytes++)
		ck_assert_uint_eq(*add(&hash, zeroes, bytes, false), bytes + 1);
	for (uint32_t seen = 0; seen <= sizeof(zeroes); seen++) {
		const struct hash_entry *entry = table_hash__next(&hash, &at);

		ck_assert_ptr_nonnull(entry);
		ck_assert_uint_eq(entry->value[0], entry->key_bytes + 1);
		ck_assert_int_eq(memcmp(table_hash__key(&hash, entry), zeroes, entry->key_bytes),
				 0);
	}
	ck_assert_ptr_null(table_hash__next(&hash, &at));
	table_hash__clear(&hash);
}
END_TEST

/* Values stay where they are while the table grows. */
START_TEST(test_many_keys)
{
	static uint64_t *values[100000];
	struct table_hash hash;

	table_hash__init(&hash, 8);
	for (uint32_t i = 0; i < 100000; i++) {
		values[i] = add(&hash, &i, sizeof(i), true);
		*values[i] = i;
	}
	ck_assert_uint_eq(hash.count, 100000);
	for (uint32_t i = 0; i < 100000; i++) {
		ck_assert_ptr_eq(table_hash__find(&hash, &i, sizeof(i)), values[i]);
		ck_assert_uint_eq(*values[i], i);
	}
	ck_assert_ptr_null(table_hash__find(&hash, &(uint32_t){ 100000 }, 4));
	table_hash__clear(&hash);
}
END_TEST

/* SipHash-1-3 of the bytes 0, 1, 2..., with such bytes as its key. */
START_TEST(test_hashes_are_siphash)
{
	static const struct {
		uint32_t bytes;
		uint64_t hash;
	} cases[] = {
		{ 0, 0xabac0158050fc4dc },  { 1, 0xc9f49bf37d57ca93 }, { 7, 0xd3927d989bb11140 },
		{ 8, 0x369095118d299a8e },  { 9, 0x25a48eb36c063de4 }, { 16, 0xcc4fdd1a7d908b66 },
		{ 63, 0x9d199062b7bbb3a8 },
	};
	char key[63];

	for (size_t i = 0; i < sizeof(key); i++)
		key[i] = (char)i;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct table_hash hash;
		size_t at = 0;

		table_hash__init(&hash, 8);
		hash.seed[0] = 0x0706050403020100;
		hash.seed[1] = 0x0f0e0d0c0b0a0908;
		add(&hash, key, cases[i].bytes, true);
		while (!hash.slots[at].entry)
			at++;
		ck_assert_uint_eq(hash.slots[at].hash, cases[i].hash);
		ck_assert_uint_eq(at, cases[i].hash % hash.slot_count);
		table_hash__clear(&hash);
	}
}
END_TEST

START_TEST(test_tables_have_own_seeds)
{
	struct table_hash one, other;

	table_hash__init(&one, 8);
	table_hash__init(&other, 8);
	ck_assert_mem_ne(one.seed, other.seed, sizeof(one.seed));
}
END_TEST

/* Keys that differ in one bit, or in a high byte only, do not pile up in a few slots. */
START_TEST(test_similar_keys_spread)
{
	struct table_hash hash;
	size_t longest = 0, run = 0;

	table_hash__init(&hash, 8);
	for (uint64_t i = 0; i < 20000; i++)
		add(&hash, &(uint64_t){ i << 44 }, 8, true);
	for (size_t i = 0; i < hash.slot_count; i++) {
		run = hash.slots[i].entry ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	ck_assert_uint_lt(longest, 200);
	table_hash__clear(&hash);
}
END_TEST

/* Without memory for a new key, the others are still there. */
START_TEST(test_no_memory)
{
	struct table_hash hash;
	long blocks = fail_alloc__blocks();
	uint32_t next = 0;
	bool is_new;

	table_hash__init(&hash, 8);
	for (uint32_t i = 0; i < 2000; i++) {
		fail_alloc__begin(1);
		if (table_hash__add(&hash, &next, sizeof(next), &is_new))
			next++;
		if (!fail_alloc__end())
			continue;
		add(&hash, &next, sizeof(next), true);
		next++;
	}
	for (uint32_t i = 0; i < next; i++)
		ck_assert_ptr_nonnull(table_hash__find(&hash, &i, sizeof(i)));
	ck_assert_uint_eq(hash.count, next);
	table_hash__clear(&hash);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_adds_once);
	tcase_add_test(tests, test_lengths_make_other_keys);
	tcase_add_test(tests, test_many_keys);
	tcase_add_test(tests, test_hashes_are_siphash);
	tcase_add_test(tests, test_tables_have_own_seeds);
	tcase_add_test(tests, test_similar_keys_spread);
	tcase_add_test(tests, test_no_memory);
}
