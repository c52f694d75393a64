// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_interned.c: ids of keys are counted by kind. */
#include "perfetto/interned.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct interned interned;
static bool is_new;

static uint64_t find(enum interned_kind kind, const char *key)
{
	return interned__find(&interned, kind, key, strlen(key), &is_new);
}

START_TEST(test_keys_keep_their_ids)
{
	ck_assert_uint_eq(find(INTERNED_FUNCTION, "read"), 1);
	ck_assert(is_new);
	ck_assert_uint_eq(find(INTERNED_FUNCTION, "write"), 2);
	ck_assert_uint_eq(find(INTERNED_FUNCTION, "read"), 1);
	ck_assert(!is_new);
	ck_assert_uint_eq(find(INTERNED_PATH, "read"), 1);
	ck_assert(is_new);
	ck_assert_uint_eq(find(INTERNED_PATH, ""), 2);
	ck_assert_uint_eq(find(INTERNED_PATH, ""), 2);
	ck_assert(!is_new);
	interned__free(&interned);
	ck_assert_uint_eq(interned__bytes(&interned), 0);
	ck_assert_uint_eq(find(INTERNED_FUNCTION, "write"), 1);
	interned__free(&interned);
}
END_TEST

START_TEST(test_many_keys)
{
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 1; i <= 10000; i++) {
			ck_assert_uint_eq(
				interned__find(&interned, INTERNED_STACK, &i, sizeof(i), &is_new),
				i);
			ck_assert_int_eq(is_new, !round);
		}
	ck_assert_uint_gt(interned__bytes(&interned), 10000 * sizeof(uint64_t));
	interned__free(&interned);
}
END_TEST

START_TEST(test_no_memory)
{
	for (unsigned n = 1;; n++) {
		uint64_t id;

		fail_alloc__begin(n);
		id = find(INTERNED_FRAME, "frame");
		if (!fail_alloc__end())
			break;
		ck_assert_uint_eq(id, 0);
		interned__free(&interned);
	}
	interned__free(&interned);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_keys_keep_their_ids);
	tcase_add_test(tests, test_many_keys);
	tcase_add_test(tests, test_no_memory);
}
