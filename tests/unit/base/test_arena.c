// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_arena.c: pieces of memory of all sizes, freed as a whole. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_pieces_are_aligned_and_separate)
{
	struct arena arena = { 0 };
	unsigned char *pieces[3000];
	long blocks = fail_alloc__blocks();

	for (size_t i = 0; i < 3000; i++) {
		size_t bytes = i % 700 ? i % 97 : 300000;

		pieces[i] = arena__take(&arena, bytes);
		ck_assert_ptr_nonnull(pieces[i]);
		ck_assert_uint_eq((uintptr_t)pieces[i] % 8, 0);
		memset(pieces[i], (int)(i & 255), bytes);
	}
	for (size_t i = 0; i < 3000; i++)
		for (size_t byte = 0; byte < (i % 700 ? i % 97 : 300000); byte++)
			ck_assert(pieces[i][byte] == (i & 255));
	arena__free(&arena);
	ck_assert_ptr_null(arena.newest);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

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

START_TEST(test_large_string)
{
	struct arena arena = { 0 };
	const char *small = arena__copy(&arena, "small", 5);
	char *large = arena__text(&arena, 1 << 20);

	memset(large, 'x', 1 << 20);
	ck_assert_str_eq(small, "small");
	ck_assert_str_eq(arena__copy(&arena, "cut here", 3), "cut");
	arena__free(&arena);
}
END_TEST

/* Aligned pieces and strings share blocks. */
START_TEST(test_pieces_beside_strings)
{
	struct arena arena = { 0 };
	uint64_t *pieces[2000];
	char *strings[2000];

	ck_assert_ptr_nonnull(arena__take(&arena, 0));
	for (size_t i = 0; i < 2000; i++) {
		strings[i] = arena__copy(&arena, "abcdefg", i % 8);
		pieces[i] = arena__take(&arena, 8);
		ck_assert_uint_eq((uintptr_t)pieces[i] % 8, 0);
		*pieces[i] = i;
	}
	for (size_t i = 0; i < 2000; i++) {
		ck_assert_uint_eq(*pieces[i], i);
		ck_assert_uint_eq(strlen(strings[i]), i % 8);
	}
	ck_assert_uint_lt(arena.bytes, (size_t)2000 * 14 + (32 << 10));
	arena__free(&arena);
}
END_TEST

START_TEST(test_no_memory)
{
	struct arena arena = { 0 };

	fail_alloc__begin(1);
	if (arena__take(&arena, 8))
		ck_assert(!fail_alloc__end());
	else
		ck_assert(fail_alloc__end());
	ck_assert_ptr_nonnull(arena__take(&arena, 8));
	arena__free(&arena);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_pieces_are_aligned_and_separate);
	tcase_add_test(tests, test_strings_stay);
	tcase_add_test(tests, test_large_string);
	tcase_add_test(tests, test_pieces_beside_strings);
	tcase_add_test(tests, test_no_memory);
}
