// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_deferred.c: samples wait for the part with their cookie, and records keep their order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "event/deferred.h"
#include "unit/suite.h"

#define NO_LIMIT UINT64_MAX

static struct deferred deferred;

static void setup(void)
{
	deferred__init(&deferred, NO_LIMIT, NO_LIMIT);
}

static void teardown(void)
{
	deferred__free(&deferred);
}

/* The number is the record's data, and its time. */
static void put(uint64_t number, enum deferred_role role, uint64_t cookie)
{
	const struct peat_event record = { .kind = PEAT_EVENT_RECORD,
					   .time_ns = number,
					   .type = 3,
					   .size = sizeof(number),
					   .data = &number };

	ck_assert_int_eq(deferred__put(&deferred, &record, role, cookie), 0);
}

static uint64_t number_of(const struct peat_event *record)
{
	uint64_t number;

	ck_assert_uint_eq((uintptr_t)record->data % 8, 0);
	memcpy(&number, record->data, sizeof(number));
	ck_assert_uint_eq(record->time_ns, number);
	ck_assert_uint_eq(record->type, 3);
	return number;
}

/* The next record has this number, and the part that one; 0: it has none. */
static void check_next(uint64_t number, uint64_t part_number)
{
	const struct peat_event *part;
	struct peat_event record;

	ck_assert(deferred__next(&deferred, &record, &part));
	ck_assert_uint_eq(number_of(&record), number);
	ck_assert_uint_eq(part ? number_of(part) : 0, part_number);
}

static void check_waits(void)
{
	const struct peat_event *part;
	struct peat_event record;

	ck_assert(!deferred__next(&deferred, &record, &part));
}

START_TEST(test_records_without_cookies)
{
	check_waits();
	for (uint64_t i = 1; i < 4; i++)
		put(i, DEFERRED_NONE, 0);
	for (uint64_t i = 1; i < 4; i++)
		check_next(i, 0);
	check_waits();
	ck_assert(deferred__is_empty(&deferred));
	ck_assert_uint_eq(deferred.held_bytes, 0);
}
END_TEST

/* Records after a sample wait with it, and samples of a stay in the kernel share a part. */
START_TEST(test_order_is_kept)
{
	put(1, DEFERRED_SAMPLE, 7);
	put(2, DEFERRED_NONE, 0);
	put(3, DEFERRED_SAMPLE, 8);
	put(4, DEFERRED_SAMPLE, 7);
	check_waits();
	put(5, DEFERRED_PART, 7);
	check_next(1, 5);
	check_next(2, 0);
	check_waits();
	put(6, DEFERRED_PART, 8);
	check_next(3, 6);
	check_next(4, 5);
	check_next(5, 0);
	check_next(6, 0);
	check_waits();
	ck_assert_uint_eq(deferred.missing, 0);
}
END_TEST

/* The first of equal parts counts, and is gone when it was returned. */
START_TEST(test_duplicate_parts_are_dropped)
{
	put(1, DEFERRED_SAMPLE, 7);
	put(2, DEFERRED_PART, 7);
	put(3, DEFERRED_PART, 7);
	put(4, DEFERRED_SAMPLE, 7);
	check_next(1, 2);
	check_next(2, 0);
	check_next(3, 0);
	check_waits();
	deferred__release(&deferred);
	check_next(4, 0);
	ck_assert_uint_eq(deferred.missing, 1);
}
END_TEST

START_TEST(test_parts_without_samples)
{
	for (uint64_t i = 1; i < 100; i++)
		put(i, DEFERRED_PART, i * 0x9e3779b97f4a7c15);
	for (uint64_t i = 1; i < 100; i++)
		check_next(i, 0);
	check_waits();
	ck_assert_ptr_null(deferred.parts);
	ck_assert_uint_eq(deferred.held_bytes, 0);
}
END_TEST

/* Released records do not wait; later ones do. */
START_TEST(test_released_records_do_not_wait)
{
	put(1, DEFERRED_SAMPLE, 7);
	put(2, DEFERRED_SAMPLE, 8);
	put(3, DEFERRED_PART, 8);
	check_waits();
	deferred__release(&deferred);
	check_next(1, 0);
	check_next(2, 3);
	check_next(3, 0);
	check_waits();
	ck_assert_uint_eq(deferred.missing, 1);
	put(4, DEFERRED_SAMPLE, 9);
	check_waits();
	put(5, DEFERRED_PART, 9);
	check_next(4, 5);
}
END_TEST

/* An empty queue has nothing to release. */
START_TEST(test_release_of_nothing)
{
	deferred__release(&deferred);
	put(1, DEFERRED_SAMPLE, 7);
	check_waits();
}
END_TEST

START_TEST(test_limit_of_memory)
{
	uint64_t each;

	put(1, DEFERRED_SAMPLE, 1);
	each = deferred.held_bytes;
	ck_assert_uint_gt(each, sizeof(uint64_t));
	deferred.limit_bytes = 10 * each;
	for (uint64_t i = 2; i <= 10; i++)
		put(i, DEFERRED_SAMPLE, i);
	check_waits();
	put(11, DEFERRED_PART, 10);
	check_next(1, 0);
	check_waits();
	put(12, DEFERRED_PART, 2);
	check_next(2, 12);
	ck_assert_uint_eq(deferred.missing, 1);
}
END_TEST

START_TEST(test_limit_of_time)
{
	deferred.wait_ns = 100;
	put(1000, DEFERRED_SAMPLE, 1);
	put(900, DEFERRED_NONE, 0); /* late */
	put(1100, DEFERRED_NONE, 0);
	check_waits();
	put(1101, DEFERRED_NONE, 0);
	check_next(1000, 0);
	check_next(900, 0);
	check_next(1100, 0);
	put(1150, DEFERRED_SAMPLE, 2);
	check_next(1101, 0);
	check_waits();
	ck_assert_uint_eq(deferred.missing, 1);
}
END_TEST

START_TEST(test_freed_while_waiting)
{
	put(1, DEFERRED_PART, 3);
	put(2, DEFERRED_SAMPLE, 7);
	put(3, DEFERRED_PART, 5);
	check_next(1, 0);
	deferred__free(&deferred);
	deferred__free(&deferred);
	ck_assert(deferred__is_empty(&deferred));
}
END_TEST

/* ---- callchains ------------------------------------------------------------------------------ */

#define WORDS(array)                                                                               \
	{                                                                                          \
		array, sizeof(array) / sizeof(*(array)), false                                     \
	}

static void check_merged(const struct peat_words *chain, const struct peat_words *user,
			 const uint64_t *wanted, uint64_t count)
{
	uint64_t merged[32];

	ck_assert_uint_le(count, chain->count + user->count);
	ck_assert_uint_eq(deferred__merge(chain, user, merged), count);
	ck_assert_int_eq(memcmp(merged, wanted, count * sizeof(*wanted)), 0);
}

START_TEST(test_merges_user_part)
{
	const uint64_t kernel[] = { PEAT_CONTEXT_KERNEL, 1, 2, PEAT_CONTEXT_USER_DEFERRED, 99 };
	const uint64_t none[] = { PEAT_CONTEXT_USER_DEFERRED, 99 };
	const uint64_t parts[] = { 10, 11, 12 };
	const uint64_t both[] = { PEAT_CONTEXT_KERNEL, 1, 2, PEAT_CONTEXT_USER, 10, 11, 12 };
	const struct peat_words chain = WORDS(kernel), only = WORDS(none), user = WORDS(parts);
	const struct peat_words empty = { parts, 0, false };
	uint64_t cookie = 0;

	ck_assert(deferred__find_cookie(&chain, &cookie));
	ck_assert_uint_eq(cookie, 99);
	check_merged(&chain, &user, both, 7);
	check_merged(&only, &user, both + 3, 4);
	check_merged(&chain, &empty, both, 4);
}
END_TEST

/* A marker at the end has no cookie, and one in the place of the cookie is one. */
START_TEST(test_odd_markers)
{
	const uint64_t cut[] = { PEAT_CONTEXT_KERNEL, 1, PEAT_CONTEXT_USER_DEFERRED };
	const uint64_t middle[] = { PEAT_CONTEXT_USER_DEFERRED, 99, PEAT_CONTEXT_GUEST, 5 };
	const uint64_t twice[] = { 3, PEAT_CONTEXT_USER_DEFERRED, PEAT_CONTEXT_USER_DEFERRED };
	const uint64_t parts[] = { 10 }, replaced[] = { 3, PEAT_CONTEXT_USER, 10 };
	const struct peat_words no_cookie = WORDS(cut), two = WORDS(twice), user = WORDS(parts);
	const struct peat_words between = WORDS(middle), empty = { cut, 0, false };
	uint64_t cookie = 5;

	ck_assert(!deferred__find_cookie(&no_cookie, &cookie));
	ck_assert(!deferred__find_cookie(&between, &cookie));
	ck_assert(!deferred__find_cookie(&empty, &cookie));
	ck_assert_uint_eq(cookie, 5);
	ck_assert(deferred__find_cookie(&two, &cookie));
	ck_assert_uint_eq(cookie, PEAT_CONTEXT_USER_DEFERRED);
	check_merged(&two, &user, replaced, 3);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_records_without_cookies);
	tcase_add_test(tests, test_order_is_kept);
	tcase_add_test(tests, test_duplicate_parts_are_dropped);
	tcase_add_test(tests, test_parts_without_samples);
	tcase_add_test(tests, test_released_records_do_not_wait);
	tcase_add_test(tests, test_release_of_nothing);
	tcase_add_test(tests, test_limit_of_memory);
	tcase_add_test(tests, test_limit_of_time);
	tcase_add_test(tests, test_freed_while_waiting);
	tcase_add_test(tests, test_merges_user_part);
	tcase_add_test(tests, test_odd_markers);
}
