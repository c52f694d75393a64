// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reclaim.c: rounds over rings and a stage in plain memory, some of whose slots are stuck. */
#include "unit/fake_grace_period.h"
#include "unit/live/live_maker.h"

#define CHECKS (2 + 1000 / 100) /* after which a slot counts as stuck: the tick is 100 ms */

static void setup(void)
{
	fake_grace_period__set(NULL, 0);
	make_channel(0);
}

/* Stages `count` events of 8 bytes in the slot. */
static void stage_events(uint32_t index, uint16_t count)
{
	struct peat_slot *slot = made_slot(index);

	slot->len += count * 16;
	slot->count += count;
	slot->seq += count;
	slot->time_ns = 1;
}

/* The program writes its staged events to the ring itself. */
static void send_frame(uint32_t index)
{
	struct peat_slot *slot = made_slot(index);

	slot->len = slot->count = 0;
}

/* A round that begins by a tick; returns how many slots it collected. */
static unsigned tick(void)
{
	struct piece piece;
	unsigned frames = 0;

	inputs__collect_soon(&made_inputs, false);
	while (inputs__next(&made_inputs, &piece))
		frames += !piece.record;
	return frames;
}

/* ---- frames that are missing ----------------------------------------------------------------- */

START_TEST(test_missing_frame_is_waited_for)
{
	stage_events(1, 5);
	send_frame(1);
	stage_events(1, 1);
	for (int i = 0; i < CHECKS; i++)
		ck_assert_uint_eq(tick(), 0);
	ck_assert_uint_eq(fake_grace_period__waits(), 0);
	ck_assert_uint_eq(tick(), 1);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
	ck_assert_uint_eq(tick(), 0);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
}
END_TEST

/* The events that waited for the frame were sent or lost by their program. */
static void leave_slot_empty(uint64_t lost)
{
	stage_events(1, 5);
	send_frame(1);
	stage_events(1, 1);
	for (int i = 0; i < CHECKS; i++)
		ck_assert_uint_eq(tick(), 0);
	send_frame(1);
	made_slot(1)->lost_ring_full = lost;
	stage__add_consumed(&made_inputs.stage, 1, 0, (uint32_t)(6 - lost));
	for (int i = 0; i < CHECKS; i++)
		ck_assert_uint_eq(tick(), 0);
	ck_assert_uint_eq(fake_grace_period__waits(), 0);
}

START_TEST(test_empty_slot_waits_for_no_frame)
{
	leave_slot_empty(0);
}
END_TEST

START_TEST(test_empty_slot_of_lost_events_waits_for_no_frame)
{
	leave_slot_empty(1);
}
END_TEST

/* Its program sends frames: nothing is late. */
START_TEST(test_busy_slot_waits_for_no_frame)
{
	stage_events(1, 5);
	send_frame(1);
	for (int i = 0; i < 3 * CHECKS; i++) {
		stage_events(1, 1);
		ck_assert_uint_eq(tick(), 0);
		send_frame(1);
	}
	ck_assert_uint_eq(fake_grace_period__waits(), 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, free_made);
	tcase_add_test(tests, test_missing_frame_is_waited_for);
	tcase_add_test(tests, test_empty_slot_waits_for_no_frame);
	tcase_add_test(tests, test_empty_slot_of_lost_events_waits_for_no_frame);
	tcase_add_test(tests, test_busy_slot_waits_for_no_frame);
}
