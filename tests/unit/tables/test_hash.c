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
START_TEST(test_lengths)
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

/* Keys that differ in one bit, or in a high byte only, do not pile up in a few slots. */
START_TEST(test_spread)
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
	uint32_t refused = 0, next = 0;
	bool is_new;

	table_hash__init(&hash, 8);
	for (uint32_t i = 0; i < 2000; i++) {
		fail_alloc__begin(1);
		if (!table_hash__add(&hash, &next, sizeof(next), &is_new))
			refused++;
		else
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
	tcase_add_test(tests, test_lengths);
	tcase_add_test(tests, test_many_keys);
	tcase_add_test(tests, test_spread);
	tcase_add_test(tests, test_no_memory);
}
