// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tide.c: how far time has come, by what slots in plain memory show. */
#include <stdlib.h>

#include "harness.h"
#include "suites.h"
#include "live/safe_time.h"

#define SLOT_BYTES 4096u
#define SLOTS	   (2 * PEAT_SLOTS)
#define PATIENCE   1000

static struct stage stage;
static struct tide tide;
static unsigned char *memory;

static struct peat_slot *slot_at(uint32_t index)
{
	return (void *)(memory + index * SLOT_BYTES);
}

static void setup(void)
{
	memory = calloc(SLOTS, SLOT_BYTES);
	ck_assert_ptr_nonnull(memory);
	ck_assert_int_eq(stage__init(&stage, memory, SLOTS, SLOT_BYTES), 0);
	tide = (struct tide){ .patience_ns = PATIENCE };
	ck_assert_int_eq(tide__init(&tide, &stage, 100), 0);
}

static void teardown(void)
{
	tide__free(&tide);
	stage__unmap(&stage);
	free(memory);
}

/* A program reserves, and submits. */
static void reserve(uint32_t index)
{
	slot_at(index)->lock = index + 1;
}

static void submit(uint32_t index)
{
	slot_at(index)->seq++;
	slot_at(index)->lock = 0;
}

START_TEST(test_all_free)
{
	ck_assert_uint_eq(tide__look(&tide, 200, true), 200);
	ck_assert_uint_eq(tide__look(&tide, 300, true), 300);
}
END_TEST

/* Where a lock is seen later than it is taken: nobody can tell of what is that young. */
START_TEST(test_unseen)
{
	tide.unseen_ns = 30;
	ck_assert_uint_eq(tide__look(&tide, 200, true), 170);
	reserve(5);
	ck_assert_uint_eq(tide__look(&tide, 300, true), 170);
	submit(5);
	stage__hand_out(&stage, 5, 1);
	ck_assert_uint_eq(tide__look(&tide, 400, true), 370);
}
END_TEST

/* Reserved before the look, submitted after it: older than the look, and not seen. */
START_TEST(test_held)
{
	reserve(5);
	ck_assert_uint_eq(tide__look(&tide, 200, true), 100);
	submit(5);
	ck_assert_uint_eq(tide__look(&tide, 300, true), 100); /* it went, but was not handed out */
	stage__hand_out(&stage, 5, 1);
	ck_assert_uint_eq(tide__look(&tide, 400, true), 400);
}
END_TEST

/* It went on to the next event: only the one that it had then counts. */
START_TEST(test_held_again)
{
	reserve(2);
	ck_assert_uint_eq(tide__look(&tide, 200, true), 100);
	submit(2);
	reserve(2);
	submit(2);
	reserve(2);
	ck_assert_uint_eq(tide__look(&tide, 300, true), 100);
	stage__hand_out(&stage, 2, 1);
	ck_assert_uint_eq(tide__look(&tide, 400, true),
			  200); /* from here on: until 400, three events */
	submit(2);
	stage__hand_out(&stage, 2, 1);
	ck_assert_uint_eq(tide__look(&tide, 500, true), 200);
	stage__hand_out(&stage, 2, 1);
	ck_assert_uint_eq(tide__look(&tide, 600, true), 600);
}
END_TEST

/* The same program, and no event: but it gave the slot back in between. */
START_TEST(test_discarded)
{
	reserve(2);
	ck_assert_uint_eq(tide__look(&tide, 200, true), 100);
	slot_at(2)->discarded++;
	slot_at(2)->lock = 0;
	ck_assert_uint_eq(tide__look(&tide, 300, true), 300);
	reserve(2);
	ck_assert_uint_eq(tide__look(&tide, 400, true), 300);
	slot_at(2)->discarded++;
	ck_assert_uint_eq(tide__look(&tide, 500, true), 400);
}
END_TEST

/* A slot that is never given back holds up for so long, and then no more; nor do others wait. */
START_TEST(test_patience)
{
	reserve(0);
	for (uint64_t now = 200; now <= 200 + PATIENCE; now += 100)
		ck_assert_uint_eq(tide__look(&tide, now, true), 100);
	ck_assert_uint_eq(tide__look(&tide, 300 + PATIENCE, true), 300 + PATIENCE);
	reserve(1);
	ck_assert_uint_eq(tide__look(&tide, 400 + PATIENCE, true), 300 + PATIENCE); /* slot 1 */
	submit(0);
	submit(1);
	stage__hand_out(&stage, 0, 1);
	stage__hand_out(&stage, 1, 1);
	ck_assert_uint_eq(tide__look(&tide, 500 + PATIENCE, true), 500 + PATIENCE);
}
END_TEST

/* A reader that looks but once in a while, or often in one round, has seen nothing yet. */
START_TEST(test_patience_of_rounds)
{
	uint64_t now = 100;

	reserve(0);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(tide__look(&tide, now += 10 * PATIENCE, true), 100);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(tide__look(&tide, now += PATIENCE, false), 100);
	tide__look(&tide, now, true);
	ck_assert_uint_eq(tide__look(&tide, now, true), now);
}
END_TEST

/* Sent to a ring, where it cannot be seen yet; then events that get lost. */
START_TEST(test_not_visible)
{
	reserve(3);
	submit(3);
	ck_assert_uint_eq(tide__look(&tide, 200, true), 100);
	slot_at(3)->seq += 10;
	slot_at(3)->lost_ring_full += 10;
	stage__hand_out(&stage, 3, 1);
	ck_assert_uint_eq(tide__look(&tide, 300, true), 300);
}
END_TEST

/* Of a busy slot there is always something under way: what is not older than that may go. */
START_TEST(test_flood)
{
	reserve(1);
	submit(1);
	for (uint64_t now = 200; now < 2000; now += 100) {
		ck_assert_uint_eq(tide__look(&tide, now, true), now - 100);
		reserve(1);
		submit(1);
		stage__hand_out(&stage, 1, 1);
	}
}
END_TEST

/* However late it is handed out, a busy slot has come as far as it was looked at before that. */
START_TEST(test_slow_reader)
{
	for (int i = 0; i < 5; i++) {
		reserve(1);
		submit(1);
	}
	ck_assert_uint_eq(tide__look(&tide, 200, true), 100);
	for (uint64_t now = 300; now < 700; now += 100) {
		reserve(1);
		submit(1);
		stage__hand_out(&stage, 1, 1);
		ck_assert_uint_eq(tide__look(&tide, now, true), 100);
	}
	stage__hand_out(&stage, 1, 1);
	ck_assert_uint_eq(tide__look(&tide, 700, true), 200);
	stage__hand_out(&stage, 1, 4);
	ck_assert_uint_eq(tide__look(&tide, 800, true), 800);
}
END_TEST

START_TEST(test_other_cpus)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__parse(&cpus, "0"), 0);
	tide.cpus = &cpus;
	reserve(PEAT_SLOTS);
	ck_assert_uint_eq(tide__look(&tide, 200, true), 200);
	cpus__free(&cpus);
}
END_TEST

Suite *tide_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tide", 10, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_all_free);
	tcase_add_test(tests, test_unseen);
	tcase_add_test(tests, test_held);
	tcase_add_test(tests, test_held_again);
	tcase_add_test(tests, test_discarded);
	tcase_add_test(tests, test_patience);
	tcase_add_test(tests, test_patience_of_rounds);
	tcase_add_test(tests, test_not_visible);
	tcase_add_test(tests, test_flood);
	tcase_add_test(tests, test_slow_reader);
	tcase_add_test(tests, test_other_cpus);
	return suite;
}
