// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_hash.c: entries of a hash table are found until they are removed. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define ENTRIES 5000u

struct entry {
	uint32_t number;
	struct hash_link link;
};

static struct entry entries[ENTRIES];

static struct entry *find(const struct hash *hash, uint32_t number, uint64_t code)
{
	struct hash_link *link = hash__first(hash, code);

	while (link && HASH_ENTRY(link, struct entry, link)->number != number)
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct entry, link) : NULL;
}

static void add_all(struct hash *hash, uint64_t (*code_of)(uint64_t))
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		entries[i].number = i;
		ck_assert_int_eq(hash__add(hash, &entries[i].link, code_of(i)), 0);
	}
	ck_assert_uint_eq(hash->count, ENTRIES);
}

static uint64_t same(uint64_t number)
{
	return number * 0;
}

/* Codes whose low bits are equal share a bucket at any size. */
static uint64_t high(uint64_t number)
{
	return number << 32;
}

START_TEST(test_finds_entries)
{
	static uint64_t (*const codes[])(uint64_t) = { hash__number, same, high };
	uint64_t (*code_of)(uint64_t) = codes[_i];
	struct hash hash = { 0 };

	ck_assert_ptr_null(hash__first(&hash, 0));
	add_all(&hash, code_of);
	for (uint32_t i = 0; i < ENTRIES; i += 7)
		ck_assert_ptr_eq(find(&hash, i, code_of(i)), &entries[i]);
	for (uint32_t i = 0; i < ENTRIES; i += 2)
		hash__remove(&hash, &entries[i].link);
	ck_assert_uint_eq(hash.count, ENTRIES / 2);
	for (uint32_t i = 0; i < ENTRIES; i += 7)
		ck_assert_ptr_eq(find(&hash, i, code_of(i)), i % 2 ? &entries[i] : NULL);
	hash__free(&hash);
}
END_TEST

START_TEST(test_visits_each_once)
{
	static uint8_t seen[ENTRIES];
	struct hash hash = { 0 };
	uint32_t count = 0;

	ck_assert_ptr_null(hash__begin(&hash));
	add_all(&hash, hash__number);
	for (struct hash_link *link = hash__begin(&hash), *after; link; link = after, count++) {
		struct entry *entry = HASH_ENTRY(link, struct entry, link);

		ck_assert_uint_eq(seen[entry->number]++, 0);
		after = hash__after(&hash, link);
		hash__remove(&hash, link);
	}
	ck_assert_uint_eq(count, ENTRIES);
	ck_assert_uint_eq(hash.count, 0);
	ck_assert_ptr_null(hash__begin(&hash));
	hash__free(&hash);
}
END_TEST

START_TEST(test_no_memory)
{
	struct hash hash = { 0 };
	int err;

	fail_alloc__begin(1);
	err = hash__add(&hash, &entries[0].link, 0);
	ck_assert_int_eq(err, fail_alloc__end() ? -ENOMEM : 0);
	ck_assert_uint_eq(hash.count, err ? 0 : 1);
	for (uint32_t i = (uint32_t)hash.count; i < 16; i++)
		ck_assert_int_eq(hash__add(&hash, &entries[i].link, i), 0);
	/* Later, chains get longer instead. */
	fail_alloc__begin(1);
	ck_assert_int_eq(hash__add(&hash, &entries[16].link, 16), 0);
	fail_alloc__end();
	for (uint32_t i = 0; i <= 16; i++)
		ck_assert_ptr_eq(hash__first(&hash, i), &entries[i].link);
	hash__free(&hash);
}
END_TEST

SUITE(10)
{
	tcase_add_loop_test(tests, test_finds_entries, 0, 3);
	tcase_add_test(tests, test_visits_each_once);
	tcase_add_test(tests, test_no_memory);
}
