// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_arena.c: pieces of memory of all sizes, freed as a whole. */
#include <stdint.h>
#include <string.h>

#include "tables/arena.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_pieces)
{
	struct table_arena arena = { 0 };
	unsigned char *pieces[3000];
	long blocks = fail_alloc__blocks();

	for (size_t i = 0; i < 3000; i++) {
		size_t bytes = i % 700 ? i % 97 : 300000;

		pieces[i] = table_arena__allocate(&arena, bytes);
		ck_assert_ptr_nonnull(pieces[i]);
		ck_assert_uint_eq((uintptr_t)pieces[i] % 8, 0);
		memset(pieces[i], (int)(i & 255), bytes);
	}
	for (size_t i = 0; i < 3000; i++)
		for (size_t byte = 0; byte < (i % 700 ? i % 97 : 300000); byte++)
			ck_assert(pieces[i][byte] == (i & 255));
	table_arena__free(&arena);
	ck_assert_ptr_null(arena.blocks);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_no_memory)
{
	struct table_arena arena = { 0 };

	fail_alloc__begin(1);
	if (table_arena__allocate(&arena, 8))
		ck_assert(!fail_alloc__end());
	else
		ck_assert(fail_alloc__end());
	ck_assert_ptr_nonnull(table_arena__allocate(&arena, 8));
	table_arena__free(&arena);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_pieces);
	tcase_add_test(tests, test_no_memory);
}
