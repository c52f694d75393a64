// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_safe_time.c: the safe time, from the state of slots in plain memory. */
#include <errno.h>
#include <stdlib.h>

#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "live/safe_time.h"

#define SLOT_BYTES 4096u
#define SLOTS	   (2 * PEAT_SLOTS)
#define TIMEOUT	   1000

static struct stage stage;
static struct safe_time safe;
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
	safe = (struct safe_time){ .timeout_ns = TIMEOUT };
	ck_assert_int_eq(safe_time__init(&safe, &stage, 100), 0);
}

static void teardown(void)
{
	safe_time__free(&safe);
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

/* The reader consumes a frame of the next `count` events. */
static void consume(uint32_t index, uint32_t count)
{
	stage__add_consumed(&stage, index, stage.states[index].end_seq, count);
}

START_TEST(test_all_free)
{
	ck_assert_uint_eq(safe_time__find(&safe, 200), 200);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 300);
}
END_TEST

/* If locks become visible with a delay, newer events are unknown. */
START_TEST(test_unseen_locks_hold_time_back)
{
	safe.unseen_ns = 30;
	ck_assert_uint_eq(safe_time__find(&safe, 200), 170);
	reserve(5);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 170);
	submit(5);
	consume(5, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 400), 370);
}
END_TEST

/* Locked when the slot is read, submitted later: the event may be older than the first read. */
START_TEST(test_held_slot_holds_time_back)
{
	reserve(5);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	submit(5);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 100); /* submitted, but not returned */
	consume(5, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 400), 400);
}
END_TEST

/* The program has continued with other events: only the event reserved at the first read counts. */
START_TEST(test_held_again)
{
	reserve(2);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	submit(2);
	reserve(2);
	submit(2);
	reserve(2);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 100);
	consume(2, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 400),
			  200); /* mark of this call: three events until 400 */
	submit(2);
	consume(2, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 500), 200);
	consume(2, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 600), 600);
}
END_TEST

/* The same program without an event: it released the slot in between. */
START_TEST(test_discarded_event_frees_time)
{
	reserve(2);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	slot_at(2)->discarded++;
	slot_at(2)->lock = 0;
	ck_assert_uint_eq(safe_time__find(&safe, 300), 300);
	reserve(2);
	ck_assert_uint_eq(safe_time__find(&safe, 400), 300);
	slot_at(2)->discarded++;
	ck_assert_uint_eq(safe_time__find(&safe, 500), 400);
}
END_TEST

/*
 * A slot that is never released delays the safe time up to the timeout.  Other slots are still
 * followed.
 */
START_TEST(test_timeout_frees_time)
{
	reserve(0);
	for (uint64_t now = 200; now <= 200 + TIMEOUT; now += 100)
		ck_assert_uint_eq(safe_time__find(&safe, now), 100);
	ck_assert_uint_eq(safe_time__find(&safe, 300 + TIMEOUT), 300 + TIMEOUT);
	reserve(1);
	ck_assert_uint_eq(safe_time__find(&safe, 400 + TIMEOUT), 300 + TIMEOUT); /* slot 1 */
	submit(0);
	submit(1);
	consume(0, 1);
	consume(1, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 500 + TIMEOUT), 500 + TIMEOUT);
}
END_TEST

/* A reader without CPU time has seen nothing yet, however late it is. */
START_TEST(test_patience_of_drains)
{
	uint64_t now = 100;

	reserve(0);
	for (int i = 0; i < 5; i++)
		ck_assert_uint_eq(safe_time__find(&safe, now += 10 * TIMEOUT), 100);
	now += TIMEOUT;
	ck_assert_uint_eq(safe_time__find(&safe, now), now);
}
END_TEST

/* The timeout and the drains count from the last progress: events sent, or returned. */
START_TEST(test_patience_since_progress)
{
	uint64_t now = 200, since;

	reserve(0);
	for (int i = 0; i < 20; i++, now += 100)
		safe_time__find(&safe, now);
	submit(0);
	reserve(0);
	ck_assert_uint_eq(safe_time__find(&safe, now += 100), 100);
	consume(0, 1);
	since = now += 100;
	ck_assert_uint_lt(safe_time__find(&safe, now), now);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_lt(safe_time__find(&safe, now += TIMEOUT), now);
	ck_assert_uint_eq(safe_time__find(&safe, now += TIMEOUT), now);
	submit(0);
	consume(0, 1);
	ck_assert_uint_eq(safe_time__find(&safe, now += 100), now);
	ck_assert_uint_eq(now, since + 5 * TIMEOUT + 100);
}
END_TEST

/* Two things happened to the slot: the event of the mark was submitted. */
START_TEST(test_two_kinds_of_progress)
{
	struct peat_slot *slot = slot_at(2);
	unsigned long long *const others[] = { &slot->discarded, &slot->lost_too_big,
					       &slot->lost_abandoned };
	uint64_t now = 200;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++, now += 200) {
		reserve(2);
		safe_time__find(&safe, now);
		submit(2);
		++*others[i];
		reserve(2);
		consume(2, 1);
		ck_assert_uint_eq(safe_time__find(&safe, now + 100), now);
		submit(2);
		consume(2, 1);
	}
}
END_TEST

/* An event in a ring that is not visible yet; then events that are lost. */
START_TEST(test_not_visible)
{
	reserve(3);
	submit(3);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	slot_at(3)->seq += 10;
	slot_at(3)->lost_ring_full += 10;
	consume(3, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 300);
}
END_TEST

/* Returned and lost events add up. */
START_TEST(test_some_are_lost)
{
	for (int i = 0; i < 7; i++) {
		reserve(3);
		submit(3);
	}
	slot_at(3)->lost_ring_full = 2;
	consume(3, 4);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	consume(3, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 300);
}
END_TEST

/*
 * A frame is unread in the ring, and the next one was lost: events from before the mark are not
 * returned by that.
 */
START_TEST(test_lost_after_an_unread_frame)
{
	slot_at(3)->seq = 100;
	slot_at(3)->count = 10;
	consume(3, 90);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	slot_at(3)->seq = 210; /* a frame of 60 events, which is unread, and 60 lost ones */
	slot_at(3)->count = 0;
	slot_at(3)->lost_ring_full = 60;
	ck_assert_uint_eq(safe_time__find(&safe, 300), 100);
	consume(3, 60);
	ck_assert_uint_eq(safe_time__find(&safe, 400), 400);
}
END_TEST

/* The next frame comes after lost ones: the mark was before it. */
START_TEST(test_a_later_frame)
{
	slot_at(3)->seq = 20;
	consume(3, 10);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	slot_at(3)->lost_ring_full = 10;
	slot_at(3)->seq = 40;
	stage__add_consumed(&stage, 3, 20, 5);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 200);
}
END_TEST

/* An invalid frame says that it ends after all events. */
START_TEST(test_invalid_frame)
{
	slot_at(3)->seq = 20;
	stage__add_consumed(&stage, 3, 1000, 5);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	stage__add_consumed(&stage, 3, 5, 15);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 300);
}
END_TEST

/* The reader starts when a slot has sent events, lost some, and stages others. */
START_TEST(test_starts_with_staged_events)
{
	slot_at(3)->seq = 50;
	slot_at(3)->lost_ring_full = 20;
	slot_at(3)->count = 10;
	stage__start(&stage);
	ck_assert_uint_eq(stage.states[3].consumed, 20);
	ck_assert_uint_eq(stage.states[3].end_seq, 40);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	slot_at(3)->seq = 70;
	consume(3, 10);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 200);
}
END_TEST

/* A busy slot always has an event that was not returned: the safe time follows one call behind. */
START_TEST(test_busy_slot_follows_behind)
{
	reserve(1);
	submit(1);
	for (uint64_t now = 200; now < 2000; now += 100) {
		ck_assert_uint_eq(safe_time__find(&safe, now), now - 100);
		reserve(1);
		submit(1);
		consume(1, 1);
	}
}
END_TEST

/* Events are returned late: the safe time advances to the mark before them. */
START_TEST(test_slow_reader)
{
	for (int i = 0; i < 5; i++) {
		reserve(1);
		submit(1);
	}
	ck_assert_uint_eq(safe_time__find(&safe, 200), 100);
	for (uint64_t now = 300; now < 700; now += 100) {
		reserve(1);
		submit(1);
		consume(1, 1);
		ck_assert_uint_eq(safe_time__find(&safe, now), 100);
	}
	consume(1, 1);
	ck_assert_uint_eq(safe_time__find(&safe, 700), 200);
	consume(1, 4);
	ck_assert_uint_eq(safe_time__find(&safe, 800), 800);
}
END_TEST

START_TEST(test_other_cpus)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__parse(&cpus, "0"), 0);
	safe.cpus = &cpus;
	reserve(PEAT_SLOTS);
	ck_assert_uint_eq(safe_time__find(&safe, 200), 200);
	reserve(PEAT_SLOTS - 1);
	ck_assert_uint_eq(safe_time__find(&safe, 300), 200);
	cpus__free(&cpus);
}
END_TEST

START_TEST(test_no_memory)
{
	struct safe_time other = { .timeout_ns = TIMEOUT };
	int err;

	fail_alloc__begin(1);
	err = safe_time__init(&other, &stage, 100);
	ck_assert_int_eq(err, fail_alloc__end() ? -ENOMEM : 0);
	safe_time__free(&other);
	ck_assert_ptr_null(other.slots);
	safe_time__free(&safe);
	ck_assert_ptr_null(safe.slots);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_all_free);
	tcase_add_test(tests, test_unseen_locks_hold_time_back);
	tcase_add_test(tests, test_held_slot_holds_time_back);
	tcase_add_test(tests, test_held_again);
	tcase_add_test(tests, test_discarded_event_frees_time);
	tcase_add_test(tests, test_timeout_frees_time);
	tcase_add_test(tests, test_patience_of_drains);
	tcase_add_test(tests, test_patience_since_progress);
	tcase_add_test(tests, test_two_kinds_of_progress);
	tcase_add_test(tests, test_not_visible);
	tcase_add_test(tests, test_some_are_lost);
	tcase_add_test(tests, test_lost_after_an_unread_frame);
	tcase_add_test(tests, test_a_later_frame);
	tcase_add_test(tests, test_invalid_frame);
	tcase_add_test(tests, test_starts_with_staged_events);
	tcase_add_test(tests, test_busy_slot_follows_behind);
	tcase_add_test(tests, test_slow_reader);
	tcase_add_test(tests, test_other_cpus);
	tcase_add_test(tests, test_no_memory);
}
