// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_arena.c: strings that never move. */
#include <stdio.h>
#include <string.h>

#include "symbols/elf/arena.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_strings_stay)
{
	struct arena arena = { 0 };
	const char *copies[5000];
	char text[32];

	for (int i = 0; i < 5000; i++) {
		int bytes = snprintf(text, sizeof(text), "string %d", i);

		copies[i] = arena__copy(&arena, text, (size_t)bytes);
	}
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "string %d", i);
		ck_assert_str_eq(copies[i], text);
	}
	ck_assert_uint_ge(arena.bytes, 5000 * 9);
	arena__free(&arena);
	ck_assert_uint_eq(arena.bytes, 0);
}
END_TEST

START_TEST(test_large)
{
	struct arena arena = { 0 };
	const char *small = arena__copy(&arena, "small", 5);
	char *large = arena__take(&arena, 1 << 20);

	memset(large, 'x', 1 << 20);
	ck_assert_str_eq(small, "small");
	ck_assert_str_eq(arena__copy(&arena, "cut here", 3), "cut");
	arena__free(&arena);
}
END_TEST

START_TEST(test_no_memory)
{
	struct arena arena = { 0 };
	long blocks = fail_alloc__blocks();
	char *taken;

	fail_alloc__begin(1);
	taken = arena__take(&arena, 10);
	if (fail_alloc__end())
		ck_assert_ptr_null(taken);
	ck_assert_ptr_nonnull(arena__take(&arena, 10));
	arena__free(&arena);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_strings_stay);
	tcase_add_test(tests, test_large);
	tcase_add_test(tests, test_no_memory);
}
