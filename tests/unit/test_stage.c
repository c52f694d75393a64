// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stage.c: slots in plain memory: who holds them, what is taken out, what is taken back. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/frame.h>

#include "harness.h"
#include "channel/stage.h"
#include "suites.h"

#define SLOT_BYTES 4096u
#define SLOTS	   (2 * PEAT_SLOTS)
#define DATA_BYTES (SLOT_BYTES - PEAT_SLOT_HEAD_BYTES)

static struct stage stage;
static unsigned char *memory, *frame_bytes;

static struct peat_slot *slot_at(uint32_t index)
{
	return (void *)(memory + index * SLOT_BYTES);
}

static void setup(void)
{
	memory = calloc(SLOTS, SLOT_BYTES);
	frame_bytes = malloc(PEAT_FRAME_HEAD_BYTES + DATA_BYTES);
	ck_assert(memory && frame_bytes);
	ck_assert_int_eq(stage__init(&stage, memory, SLOTS, SLOT_BYTES), 0);
}

static void teardown(void)
{
	stage__unmap(&stage);
	free(memory);
	free(frame_bytes);
}

/* ---- a program's side ------------------------------------------------------------------------ */

/* An event of 8 bytes, in the slot that is the program's: lent, and counted once submitted. */
static void reserve(uint32_t index, uint16_t type)
{
	struct peat_slot *slot = slot_at(index);
	struct peat_event_head head = { .size = 8, .type = type, .delta_ns = index + 1 };

	ck_assert_uint_eq(slot->lock, 0);
	slot->lock = index + 1;
	memcpy(slot->data + slot->len, &head, sizeof(head));
}

static void submit(uint32_t index, uint64_t payload)
{
	struct peat_slot *slot = slot_at(index);
	uint32_t delta_ns = (uint32_t)slot->seq;

	memcpy(slot->data + slot->len + 4, &delta_ns, sizeof(delta_ns));
	memcpy(slot->data + slot->len + 8, &payload, sizeof(payload));
	slot->len += 16;
	slot->count++;
	slot->seq++;
	slot->lock = 0;
}

static void stage_events(uint32_t index, uint32_t events)
{
	while (events--) {
		reserve(index, 7);
		submit(index, slot_at(index)->seq);
	}
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* Takes what is staged; checks that it is a frame with the events `from` to `to`, and no more. */
static void check_taken(uint32_t index, uint64_t from, uint64_t to)
{
	struct peat_frame_event event;
	struct peat_frame frame;
	size_t bytes;

	ck_assert(stage__has_events(&stage, index, UINT64_MAX));
	ck_assert(stage__lock(&stage, index));
	bytes = stage__take(&stage, index, frame_bytes);
	stage__unlock(&stage, index);
	ck_assert_int_eq(peat_frame__open(&frame, frame_bytes, bytes), 0);
	ck_assert_uint_eq(frame.seq, from);
	ck_assert_uint_eq(frame.count, to - from);
	ck_assert_uint_eq(frame.slot, index % PEAT_SLOTS);
	for (; from < to; from++) {
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
		ck_assert_uint_eq(event.type, 7);
		ck_assert_uint_eq(event.size, 8);
		ck_assert_uint_eq(event.seq, from);
		ck_assert_uint_eq(event.time_ns, slot_at(index)->time_ns + (uint32_t)from);
		ck_assert_int_eq(memcmp(event.data, &from, 8), 0);
	}
	ck_assert_int_eq(peat_frame__next(&frame, &event), 0);
	ck_assert(!stage__has_events(&stage, index, UINT64_MAX));
}

START_TEST(test_what_is_staged_becomes_a_frame)
{
	for (uint32_t index = 0; index < SLOTS; index++) {
		slot_at(index)->time_ns = 1000000007 * index;
		stage_events(index, index + 1);
	}
	for (uint32_t index = 0; index < SLOTS; index++)
		check_taken(index, 0, index + 1);
	stage_events(5, 3);
	check_taken(5, 6, 9);
	ck_assert_uint_eq(slot_at(5)->seq, 9);
	ck_assert_uint_eq(slot_at(5)->lock, 0);
}
END_TEST

START_TEST(test_a_full_slot_is_taken_whole)
{
	stage_events(1, DATA_BYTES / 16);
	check_taken(1, 0, DATA_BYTES / 16);
}
END_TEST

/* What programs wrote is not trusted: a length beyond the slot is not followed. */
START_TEST(test_a_length_that_lies_stays_inside)
{
	stage_events(SLOTS - 1, 1);
	slot_at(SLOTS - 1)->len = 0xfffffff0;
	ck_assert(stage__lock(&stage, SLOTS - 1));
	ck_assert_uint_eq(stage__take(&stage, SLOTS - 1, frame_bytes),
			  PEAT_FRAME_HEAD_BYTES + DATA_BYTES);
	ck_assert_uint_eq(slot_at(SLOTS - 1)->len, 0);
}
END_TEST

START_TEST(test_a_held_slot_is_not_taken)
{
	reserve(2, 7);
	ck_assert(!stage__lock(&stage, 2));
	ck_assert_uint_eq(slot_at(2)->lock, 3);
	submit(2, 0);
	ck_assert(stage__lock(&stage, 2));
	ck_assert(!stage__lock(&stage, 2));
	ck_assert_uint_eq(slot_at(2)->lock, PEAT_LOCK_READER | (uint32_t)getpid());
	stage__unlock(&stage, 2);
	ck_assert_uint_eq(slot_at(2)->lock, 0);
}
END_TEST

START_TEST(test_head_is_copied)
{
	struct peat_slot copy, *slot = slot_at(3);

	stage_events(3, 4);
	slot->discarded = 11;
	slot->lost_abandoned = 12;
	slot->lost_nested = 13;
	slot->lost_throttled = 14;
	slot->lost_too_big = 15;
	slot->lost_ring_full = 16;
	slot->lost_no_ring = 17;
	slot->lost_other = 18;
	slot->misuse = 19;
	slot->frames = 20;
	slot->frames_ring_full = 21;
	stage__read(&stage, 3, &copy);
	ck_assert_uint_eq(copy.lock, 0);
	ck_assert_uint_eq(copy.len, 64);
	ck_assert_uint_eq(copy.count, 4);
	ck_assert_uint_eq(copy.seq, 4);
	ck_assert_uint_eq(copy.discarded, 11);
	ck_assert_uint_eq(copy.lost_abandoned, 12);
	ck_assert_uint_eq(copy.lost_nested, 13);
	ck_assert_uint_eq(copy.lost_throttled, 14);
	ck_assert_uint_eq(copy.lost_too_big, 15);
	ck_assert_uint_eq(copy.lost_ring_full, 16);
	ck_assert_uint_eq(copy.lost_no_ring, 17);
	ck_assert_uint_eq(copy.lost_other, 18);
	ck_assert_uint_eq(copy.misuse, 19);
	ck_assert_uint_eq(copy.frames, 20);
	ck_assert_uint_eq(copy.frames_ring_full, 21);
}
END_TEST

/* ---- slots that nobody gives back ------------------------------------------------------------ */

START_TEST(test_stuck_is_held_without_progress)
{
	reserve(1, 7);
	for (uint32_t looks = 1; looks < 5; looks++)
		ck_assert_uint_eq(stage__is_stuck(&stage, 1), looks);
	submit(1, 0);
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 0);
	reserve(1, 7);
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 1);
	submit(1, 0);
	reserve(1, 7); /* found held again, but it has been given back in between */
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 1);
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 2);
	slot_at(1)->discarded++;
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 1);
	slot_at(1)->lost_too_big++;
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 1);
}
END_TEST

START_TEST(test_a_readers_slot_is_not_stuck)
{
	ck_assert(stage__lock(&stage, 1));
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 0);
	ck_assert_uint_eq(stage__is_stuck(&stage, 1), 0);
}
END_TEST

/* The type that leaked is named, and what was submitted before it is still there. */
START_TEST(test_reclaimed_slot_keeps_its_events)
{
	uint32_t type = 0;

	stage_events(6, 3);
	reserve(6, 1234 | PEAT_EVENT_IDS);
	ck_assert_uint_eq(stage__is_stuck(&stage, 6), 1);
	ck_assert(stage__reclaim(&stage, 6, &type));
	ck_assert_uint_eq(type, 1234);
	ck_assert_uint_eq(slot_at(6)->lock, 0);
	ck_assert_uint_eq(slot_at(6)->lost_abandoned, 1);
	ck_assert(!stage__reclaim(&stage, 6, &type));
	ck_assert_uint_eq(slot_at(6)->lost_abandoned, 1);
	ck_assert_uint_eq(stage__is_stuck(&stage, 6), 0);
	stage_events(6, 1);
	check_taken(6, 0, 4);
}
END_TEST

/* No event's head fits behind a full slot's events: there is no type to be read. */
START_TEST(test_reclaiming_a_full_slot_reads_nothing_behind_it)
{
	uint32_t type = 1;

	stage_events(SLOTS - 1, DATA_BYTES / 16);
	slot_at(SLOTS - 1)->lock = SLOTS;
	ck_assert(stage__reclaim(&stage, SLOTS - 1, &type));
	ck_assert_uint_eq(type, 0);
}
END_TEST

/* The id of a process that has ended. */
static uint32_t dead_pid(void)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	return (uint32_t)child;
}

START_TEST(test_dead_readers_slots_are_recovered)
{
	uint32_t dead = PEAT_LOCK_READER | dead_pid();
	uint32_t alive = PEAT_LOCK_READER | (uint32_t)getppid();

	stage_events(0, 2);
	slot_at(0)->lock = dead;
	slot_at(1)->lock = alive;
	reserve(2, 7);
	ck_assert(stage__lock(&stage, 3));
	slot_at(7)->lock = dead;
	ck_assert_uint_eq(stage__recover(&stage), 3);
	ck_assert_uint_eq(slot_at(0)->lock, 0);
	ck_assert_uint_eq(slot_at(1)->lock, alive);
	ck_assert_uint_eq(slot_at(2)->lock, 3);
	ck_assert_uint_eq(slot_at(3)->lock, 0);
	ck_assert_uint_eq(slot_at(7)->lock, 0);
	check_taken(0, 0, 2);
	ck_assert_uint_eq(stage__recover(&stage), 0);
}
END_TEST

/* It had the events, and was about to say so. */
START_TEST(test_reader_that_died_while_it_emptied_a_slot)
{
	stage_events(0, 2);
	stage_events(1, 3);
	slot_at(0)->len = 0;
	slot_at(1)->count = 0;
	slot_at(0)->lock = slot_at(1)->lock = PEAT_LOCK_READER | dead_pid();
	ck_assert_uint_eq(stage__recover(&stage), 2);
	stage_events(0, 4);
	stage_events(1, 4);
	check_taken(0, 2, 6);
	check_taken(1, 3, 7);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

Suite *stage_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stage", 10, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_what_is_staged_becomes_a_frame);
	tcase_add_test(tests, test_a_full_slot_is_taken_whole);
	tcase_add_test(tests, test_a_length_that_lies_stays_inside);
	tcase_add_test(tests, test_a_held_slot_is_not_taken);
	tcase_add_test(tests, test_head_is_copied);
	tcase_add_test(tests, test_stuck_is_held_without_progress);
	tcase_add_test(tests, test_a_readers_slot_is_not_stuck);
	tcase_add_test(tests, test_reclaimed_slot_keeps_its_events);
	tcase_add_test(tests, test_reclaiming_a_full_slot_reads_nothing_behind_it);
	tcase_add_test(tests, test_dead_readers_slots_are_recovered);
	tcase_add_test(tests, test_reader_that_died_while_it_emptied_a_slot);
	return suite;
}
