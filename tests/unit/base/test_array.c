// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_array.c: arrays that grow, and stay as they are if they cannot. */
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_keeps_elements)
{
	uint32_t *list = NULL, count = 0, room = 0, moves = 0;

	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t before = room;

		ck_assert(ARRAY_RESERVE(list, count, room));
		ck_assert_uint_lt(count, room);
		moves += room != before;
		list[count++] = i;
	}
	ck_assert_uint_eq(moves, 12);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_uint_eq(list[i], i);
	free(list);
}
END_TEST

START_TEST(test_reserves_many)
{
	uint64_t *list = NULL;
	size_t count = 0, room = 0;

	ck_assert(ARRAY_RESERVE_MORE(list, count, room, 100));
	ck_assert_uint_eq(room, 100);
	count = 99;
	ck_assert(ARRAY_RESERVE_MORE(list, count, room, 1));
	ck_assert_uint_eq(room, 100);
	ck_assert(ARRAY_RESERVE_MORE(list, count, room, 2));
	ck_assert_uint_eq(room, 200);
	ck_assert(!ARRAY_RESERVE_MORE(list, count, room, SIZE_MAX));
	ck_assert_uint_eq(room, 200);
	free(list);
}
END_TEST

/* With the sanitizers, a write behind the room is found. */
START_TEST(test_next_without_room)
{
	struct {
		uint16_t *at, count;
	} list = { NULL, 0 };

	for (uint16_t i = 0; i < 1000; i++) {
		ck_assert(ARRAY_RESERVE_NEXT(list.at, list.count));
		list.at[list.count++] = i;
	}
	for (uint16_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(list.at[i], i);
	free(list.at);
}
END_TEST

START_TEST(test_small_counts_end)
{
	uint8_t *list = NULL, *next = NULL, count = 0, room = 0, next_count = 0;

	while (count < 255 && ARRAY_RESERVE(list, count, room))
		list[count++] = 1;
	ck_assert_uint_eq(count, 128);
	ck_assert_uint_eq(room, 128);
	while (next_count < 255 && ARRAY_RESERVE_NEXT(next, next_count))
		next[next_count++] = 1;
	ck_assert_uint_eq(next_count, 128);
	free(list);
	free(next);
}
END_TEST

START_TEST(test_no_memory)
{
	uint32_t *list = NULL, *next = NULL, count = 0, room = 0;
	bool has_room;

	for (; count < 8; count++) {
		ck_assert(ARRAY_RESERVE(list, count, room));
		ck_assert(ARRAY_RESERVE_NEXT(next, count));
		list[count] = next[count] = count;
	}
	fail_alloc__begin(1);
	has_room = ARRAY_RESERVE(list, count, room);
	ck_assert(has_room != fail_alloc__end());
	ck_assert_uint_eq(room, has_room ? 16 : 8);
	fail_alloc__begin(1);
	has_room = ARRAY_RESERVE_NEXT(next, count);
	ck_assert(has_room != fail_alloc__end());
	for (uint32_t i = 0; i < count; i++)
		ck_assert(list[i] == i && next[i] == i);
	free(list);
	free(next);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_keeps_elements);
	tcase_add_test(tests, test_reserves_many);
	tcase_add_test(tests, test_next_without_room);
	tcase_add_test(tests, test_small_counts_end);
	tcase_add_test(tests, test_no_memory);
}
