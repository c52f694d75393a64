// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stage.c: slots in plain memory: locking, collecting, order, reclaiming. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/frame.h>

#include "support/machine/harness.h"
#include "channel/stage.h"
#include "sys/cpus.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

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

/* Reserves an event of 8 bytes in a slot, which submit() counts and unlocks. */
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

/* ---- collecting ------------------------------------------------------------------------------ */

/* Collects the slot; checks that the frame has the events `from` to `to` - 1, and no more. */
static void check_collected(uint32_t index, uint64_t from, uint64_t to)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	size_t bytes;

	ck_assert(stage__has_events(&stage, index, UINT64_MAX));
	ck_assert(stage__lock(&stage, index));
	bytes = stage__copy_out(&stage, index, frame_bytes);
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

START_TEST(test_staged_events_become_a_frame)
{
	for (uint32_t index = 0; index < SLOTS; index++) {
		slot_at(index)->time_ns = 1000000007 * index;
		stage_events(index, index + 1);
	}
	for (uint32_t index = 0; index < SLOTS; index++)
		check_collected(index, 0, index + 1);
	stage_events(5, 3);
	check_collected(5, 6, 9);
	ck_assert_uint_eq(slot_at(5)->seq, 9);
	ck_assert_uint_eq(slot_at(5)->lock, 0);
}
END_TEST

START_TEST(test_full_slot_is_collected_whole)
{
	stage_events(1, DATA_BYTES / 16);
	check_collected(1, 0, DATA_BYTES / 16);
}
END_TEST

/* The memory is not trusted: a length beyond the slot is not followed. */
START_TEST(test_invalid_length_is_cut_to_the_slot)
{
	stage_events(SLOTS - 1, 1);
	slot_at(SLOTS - 1)->len = 0xfffffff0;
	ck_assert(stage__lock(&stage, SLOTS - 1));
	ck_assert_uint_eq(stage__copy_out(&stage, SLOTS - 1, frame_bytes),
			  PEAT_FRAME_HEAD_BYTES + DATA_BYTES);
	ck_assert_uint_eq(slot_at(SLOTS - 1)->len, 0);
}
END_TEST

START_TEST(test_locked_slot_is_not_locked_again)
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

START_TEST(test_read_copies_the_head)
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
	slot->dropped = 22;
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
	ck_assert_uint_eq(copy.dropped, 22);
}
END_TEST

/* A reader that starts later finds them in the slot. */
START_TEST(test_reported_losses_are_stored)
{
	struct peat_slot copy, *slot = slot_at(3);

	slot->lost_ring_full = 16;
	slot->lost_no_ring = 17;
	slot->lost_other = 18;
	stage__read(&stage, 3, &copy);
	ck_assert_uint_eq(copy.reported_ring_full + copy.reported_no_ring + copy.reported_other, 0);
	slot->lost_other = 20;
	stage__mark_reported(&stage, 3, &copy);
	stage__read(&stage, 3, &copy);
	ck_assert_uint_eq(copy.reported_ring_full, 16);
	ck_assert_uint_eq(copy.reported_no_ring, 17);
	ck_assert_uint_eq(copy.reported_other, 18);
}
END_TEST

/* Also for a channel with a collector, whose slots the reader may not lock. */
static void check_consistent_read(void)
{
	struct peat_slot copy, *slot = slot_at(4);

	stage_events(4, 3);
	ck_assert(stage__read_consistent(&stage, 4, &copy));
	ck_assert_uint_eq(copy.seq, 3);
	ck_assert_uint_eq(slot->lock, 0);
	reserve(4, 7);
	ck_assert(!stage__read_consistent(&stage, 4, &copy));
	ck_assert_uint_eq(copy.seq, 3);
	ck_assert_uint_eq(slot->lock, 5);
}

START_TEST(test_consistent_read_needs_a_free_slot)
{
	check_consistent_read();
}
END_TEST

START_TEST(test_consistent_read_beside_a_collector)
{
	stage.collector = (struct collector *)memory; /* not called */
	check_consistent_read();
}
END_TEST

/* Beside a collector, only programs write to a slot. */
START_TEST(test_consistent_read_changes_nothing_beside_a_collector)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = memfd_create("stage", MFD_CLOEXEC);
	struct peat_slot copy;
	struct stage other;

	ck_assert_int_eq(ftruncate(fd, (off_t)page_bytes), 0);
	ck_assert_int_eq(stage__map(&other, fd, 1, page_bytes), 0);
	other.collector = (struct collector *)memory; /* not called */
	ck_assert_int_eq(mprotect(other.memory, page_bytes, PROT_READ), 0);
	ck_assert(stage__read_consistent(&other, 0, &copy));
	ck_assert_uint_eq(copy.seq, 0);
	stage__unmap(&other);
	close(fd);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(test_map_is_of_whole_pages)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = memfd_create("stage", MFD_CLOEXEC);
	unsigned char *mapped, present;
	struct stage other;

	ck_assert_int_eq(ftruncate(fd, (off_t)(3 * page_bytes)), 0);
	ck_assert_int_eq(stage__map(&other, fd, 3, page_bytes - 100), 0);
	ck_assert_uint_eq(other.mapped_bytes, 3 * page_bytes);
	ck_assert_uint_eq(other.slots, 3);
	mapped = other.memory;
	mapped[2 * page_bytes] = 7;
	ck_assert_int_eq(pread(fd, &present, 1, (off_t)(2 * page_bytes)), 1);
	ck_assert_uint_eq(present, 7);
	stage__unmap(&other);
	ck_assert_ptr_null(other.states);
	ck_assert_ptr_null(other.memory);
	ck_assert_uint_eq(other.mapped_bytes, 0);
	for (size_t page = 0; page < 3; page++)
		ck_assert_int_eq(mincore(mapped + page * page_bytes, page_bytes, &present), -1);
	ck_assert_int_eq(stage__map(&other, fd, 1, page_bytes), 0);
	ck_assert_uint_eq(other.mapped_bytes, page_bytes);
	stage__unmap(&other);
	ck_assert_int_eq(stage__map(&other, fd, 1, page_bytes + 1), 0);
	ck_assert_uint_eq(other.mapped_bytes, 2 * page_bytes);
	stage__unmap(&other);
	close(fd);
	ck_assert_int_eq(stage__map(&other, fd, 3, page_bytes), -EBADF);
}
END_TEST

START_TEST(test_no_memory_to_map)
{
	int fd = memfd_create("stage", MFD_CLOEXEC);
	struct stage other;
	int err;

	ck_assert_int_eq(ftruncate(fd, SLOT_BYTES), 0);
	fail_alloc__begin(1);
	err = stage__map(&other, fd, 1, SLOT_BYTES);
	ck_assert_int_eq(err, fail_alloc__end() ? -ENOMEM : 0);
	if (!err)
		stage__unmap(&other);
	ck_assert_uint_eq(other.mapped_bytes, 0);
	close(fd);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------- */

/* The program writes the staged events of the slot into the ring. */
static void send_frame(uint32_t index)
{
	slot_at(index)->len = slot_at(index)->count = 0;
}

/* Collects the slot; checks the numbers of its events; `to` is 0: nothing is collected. */
static void check_collect(uint32_t index, bool is_last_pass, uint64_t from, uint64_t to)
{
	struct stage_frame collected = { NULL, 0 };
	struct peat_frame frame = { .sz = sizeof(frame) };

	ck_assert_int_eq(stage__collect(&stage, index, is_last_pass, frame_bytes, &collected),
			 to != 0);
	ck_assert_uint_eq(slot_at(index)->lock, 0);
	if (!to)
		return;
	ck_assert_int_eq(peat_frame__open(&frame, collected.bytes, collected.count), 0);
	ck_assert_uint_eq(frame.seq, from);
	ck_assert_uint_eq(frame.count, to - from);
	ck_assert_uint_eq(slot_at(index)->len, 0);
	stage__add_consumed(&stage, index, frame.seq, frame.count);
}

START_TEST(test_young_events_are_not_old_enough)
{
	slot_at(1)->time_ns = 1000;
	ck_assert(!stage__has_events(&stage, 1, UINT64_MAX));
	stage_events(1, 1);
	ck_assert(!stage__has_events(&stage, 1, 1000));
	ck_assert(stage__has_events(&stage, 1, 1001));
}
END_TEST

START_TEST(test_events_are_collected_after_the_frames_before_them)
{
	check_collect(5, true, 0, 0); /* no events */
	stage_events(5, 3);
	send_frame(5);
	stage_events(5, 2);
	ck_assert(!stage__is_next(&stage, 5));
	check_collect(5, false, 0, 0);
	stage__add_consumed(&stage, 5, 0, 2);
	check_collect(5, false, 0, 0);
	stage__add_consumed(&stage, 5, 0, 1);
	ck_assert(stage__is_next(&stage, 5));
	check_collect(5, false, 3, 5);
	stage_events(5, 4);
	check_collect(5, false, 5, 9);
	check_collect(5, false, 0, 0);
}
END_TEST

/* The slot may have sent any frames: they are sorted by number later. */
START_TEST(test_taken_before_the_frames_before_them)
{
	struct stage_frame frame;
	struct peat_frame_head head;

	ck_assert(!stage__take(&stage, 5, frame_bytes, &frame));
	slot_at(5)->seq = 40;
	stage_events(5, 3);
	ck_assert(!stage__collect(&stage, 5, false, frame_bytes, &frame));
	ck_assert(stage__take(&stage, 5, frame_bytes, &frame));
	memcpy(&head, frame.bytes, sizeof(head));
	ck_assert_uint_eq(head.seq, 40);
	ck_assert_uint_eq(head.count, 3);
	ck_assert(!stage__has_events(&stage, 5, UINT64_MAX));
	stage_events(5, 1);
	reserve(5, 7);
	ck_assert(!stage__take(&stage, 5, frame_bytes, &frame));
	ck_assert(stage__has_events(&stage, 5, UINT64_MAX));
}
END_TEST

/* Lost events are in no frame: the reader does not wait for them. */
START_TEST(test_lost_events_are_not_waited_for)
{
	stage_events(2, 9);
	send_frame(2);
	slot_at(2)->lost_ring_full = 1;
	slot_at(2)->lost_no_ring = 2;
	slot_at(2)->lost_other = 3;
	stage_events(2, 1);
	stage__add_consumed(&stage, 2, 0, 2);
	check_collect(2, false, 0, 0);
	stage__add_consumed(&stage, 2, 0, 1);
	check_collect(2, false, 9, 10);
}
END_TEST

START_TEST(test_start_skips_frames_of_earlier_readers)
{
	for (uint32_t index = 0; index < SLOTS; index++) {
		stage_events(index, index + 2);
		send_frame(index);
		stage_events(index, 1);
	}
	slot_at(SLOTS - 1)->lost_other = 2;
	stage__start(&stage);
	for (uint32_t index = 0; index < SLOTS; index++)
		check_collect(index, false, index + 2, index + 3);
}
END_TEST

static void pass_grace_period(void)
{
	stage__save_sent(&stage);
	stage__end_grace_period(&stage);
}

static void check_not_next(uint32_t index, uint32_t collects)
{
	ck_assert_uint_eq(stage.states[index].not_next, collects);
}

/* A frame that a grace period did not make visible never arrives. */
START_TEST(test_missing_frames_are_skipped_after_a_grace_period)
{
	for (uint32_t index = 0; index < SLOTS; index++) {
		stage_events(index, 3);
		send_frame(index);
		stage_events(index, 1);
		check_collect(index, true, 0, 0); /* before a grace period */
		check_not_next(index, 1);
	}
	pass_grace_period();
	for (uint32_t index = 0; index < SLOTS; index++) {
		check_collect(index, false, 0, 0); /* not the last pass */
		check_not_next(index, 1);
		check_collect(index, true, 3, 4);
		check_not_next(index, 0);
		ck_assert(stage__is_next(&stage, index));
	}
}
END_TEST

START_TEST(test_frames_are_waited_for_until_the_grace_period_ends)
{
	stage_events(1, 3);
	send_frame(1);
	stage_events(1, 1);
	pass_grace_period(); /* an earlier one does not count */
	stage__save_sent(&stage);
	check_collect(1, true, 0, 0);
	stage__end_grace_period(&stage);
	check_collect(1, true, 3, 4);
}
END_TEST

START_TEST(test_frames_sent_since_the_grace_period_are_waited_for)
{
	stage_events(1, 3);
	send_frame(1);
	pass_grace_period();
	stage_events(1, 1);
	send_frame(1);
	stage_events(1, 1);
	check_collect(1, true, 0, 0);
	check_collect(1, true, 0, 0);
	check_not_next(1, 2);
	stage__add_consumed(&stage, 1, 0, 4);
	check_collect(1, true, 4, 5);
	check_not_next(1, 0);
}
END_TEST

/* The counts of a slot that is in use may be off by an event. */
START_TEST(test_slot_in_use_before_the_grace_period_is_waited_for)
{
	stage_events(1, 3);
	send_frame(1);
	reserve(1, 7);
	pass_grace_period();
	submit(1, 0);
	check_collect(1, true, 0, 0);
	pass_grace_period();
	check_collect(1, true, 3, 4);
}
END_TEST

START_TEST(test_slot_in_use_is_not_collected)
{
	stage_events(1, 3);
	reserve(1, 7);
	ck_assert(!stage__collect(&stage, 1, true, frame_bytes, &(struct stage_frame){ 0 }));
	ck_assert_uint_eq(slot_at(1)->lock, 2);
	submit(1, 0);
	check_collect(1, true, 0, 4);
}
END_TEST

/* ---- slots that are not released ------------------------------------------------------------- */

START_TEST(test_stuck_slot_is_locked_without_progress)
{
	reserve(1, 7);
	for (uint32_t checks = 1; checks < 5; checks++)
		ck_assert_uint_eq(stage__count_stuck(&stage, 1), checks);
	submit(1, 0);
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 0);
	ck_assert_uint_eq(stage.states[1].stuck_checks, 0);
	reserve(1, 7);
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
	submit(1, 0);
	reserve(1, 7); /* found locked again, but it was released in between */
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 2);
	slot_at(1)->discarded++;
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
	slot_at(1)->lost_too_big++;
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
	slot_at(1)->dropped++;
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
}
END_TEST

/* A slot is never released, while other programs lose events before they lock one. */
/* Only a slot that is stuck from one mark on to the end has lost its program. */
START_TEST(test_marked_slots_are_still_stuck)
{
	for (uint32_t index = 1; index < 4; index++) {
		reserve(index, 7);
		stage__count_stuck(&stage, index);
	}
	stage__count_stuck(&stage, 1);
	stage__count_stuck(&stage, 2);
	stage__mark_stuck(&stage, 2);
	ck_assert(stage__is_still_stuck(&stage, 1));
	ck_assert(stage__is_still_stuck(&stage, 2));
	ck_assert(!stage__is_still_stuck(&stage, 3)); /* not at the mark */
	submit(2, 0);
	reserve(2, 7);
	ck_assert(stage__is_still_stuck(&stage, 1));
	ck_assert(!stage__is_still_stuck(&stage, 2));
	ck_assert(!stage__is_still_stuck(&stage, 2));
	submit(1, 0);
	ck_assert(!stage__is_still_stuck(&stage, 1));
	stage__mark_stuck(&stage, 1);
	ck_assert(stage__is_still_stuck(&stage, 3));
}
END_TEST

START_TEST(test_losses_without_a_slot_are_no_progress)
{
	reserve(0, 7);
	stage__count_stuck(&stage, 0);
	slot_at(0)->lost_throttled++;
	slot_at(0)->lost_nested++;
	ck_assert_uint_eq(stage__count_stuck(&stage, 0), 2);
}
END_TEST

/* Two things happened between two checks: the program made progress. */
START_TEST(test_progress_of_two_kinds_is_progress)
{
	struct peat_slot *slot = slot_at(1);
	unsigned long long *const others[] = { &slot->discarded, &slot->lost_too_big,
					       &slot->lost_abandoned };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		reserve(1, 7);
		stage__count_stuck(&stage, 1);
		ck_assert_uint_eq(stage__count_stuck(&stage, 1), 2);
		submit(1, 0);
		++*others[i];
		reserve(1, 7);
		ck_assert_uint_eq(stage__count_stuck(&stage, 1), 1);
		submit(1, 0);
	}
}
END_TEST

START_TEST(test_slot_locked_by_a_reader_is_not_stuck)
{
	ck_assert(stage__lock(&stage, 1));
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 0);
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 0);
}
END_TEST

/* The type of the leaked event is returned; events submitted before it stay. */
START_TEST(test_reclaimed_slot_keeps_its_events)
{
	uint32_t type = 0;

	stage_events(6, 3);
	reserve(6, 1234 | PEAT_EVENT_IDS);
	ck_assert_uint_eq(stage__count_stuck(&stage, 6), 1);
	ck_assert(stage__reclaim(&stage, 6, &type));
	ck_assert_uint_eq(type, 1234);
	ck_assert_uint_eq(stage.states[6].stuck_checks, 0);
	ck_assert_uint_eq(slot_at(6)->lock, 0);
	ck_assert_uint_eq(slot_at(6)->lost_abandoned, 1);
	ck_assert(!stage__reclaim(&stage, 6, &type));
	ck_assert_uint_eq(slot_at(6)->lost_abandoned, 1);
	ck_assert_uint_eq(stage__count_stuck(&stage, 6), 0);
	stage_events(6, 1);
	reserve(6, 7);
	ck_assert_uint_eq(stage__count_stuck(&stage, 6), 1);
	submit(6, 4);
	check_collected(6, 0, 5);
}
END_TEST

START_TEST(test_reclaiming_reads_the_last_event_head_that_fits)
{
	const struct peat_event_head head = { .size = 0, .type = 1234 };
	struct peat_slot *slot = slot_at(SLOTS - 1);
	uint32_t type;

	slot->len = DATA_BYTES - sizeof(head);
	memcpy(slot->data + slot->len, &head, sizeof(head));
	slot->lock = SLOTS;
	ck_assert(stage__reclaim(&stage, SLOTS - 1, &type));
	ck_assert_uint_eq(type, 1234);
}
END_TEST

/* No event head fits after the events of a full slot: there is no type to read. */
START_TEST(test_reclaiming_a_full_slot_reads_no_type)
{
	uint32_t type = 1;

	stage_events(SLOTS - 1, DATA_BYTES / 16);
	slot_at(SLOTS - 1)->lock = SLOTS;
	ck_assert(stage__reclaim(&stage, SLOTS - 1, &type));
	ck_assert_uint_eq(type, 0);
	slot_at(0)->len = DATA_BYTES;
	slot_at(0)->lock = 1;
	slot_at(1)->lock = 0x12340000; /* not an event head of slot 0 */
	ck_assert(stage__reclaim(&stage, 0, &type));
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

START_TEST(test_slots_of_dead_readers_are_recovered)
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
	check_collected(0, 0, 2);
	ck_assert_uint_eq(stage__recover(&stage), 0);
}
END_TEST

/* Programs lock with a number of their own, which may be that of a process. */
START_TEST(test_slots_of_programs_are_not_recovered)
{
	uint32_t lock = dead_pid();

	slot_at(4)->lock = lock;
	ck_assert_uint_eq(stage__recover(&stage), 0);
	ck_assert_uint_eq(slot_at(4)->lock, lock);
}
END_TEST

/* The reader had copied the events, and had reset only one of `len` and `count`. */
START_TEST(test_recover_after_reader_died_while_emptying_a_slot)
{
	stage_events(0, 2);
	stage_events(1, 3);
	slot_at(0)->len = 0;
	slot_at(1)->count = 0;
	slot_at(0)->lock = slot_at(1)->lock = PEAT_LOCK_READER | dead_pid();
	ck_assert_uint_eq(stage__recover(&stage), 2);
	stage_events(0, 4);
	stage_events(1, 4);
	check_collected(0, 2, 6);
	check_collected(1, 3, 7);
}
END_TEST

/* ---- sleeping -------------------------------------------------------------------------------- */

static void check_locks(uint32_t from, uint32_t to, uint32_t lock)
{
	for (uint32_t index = from; index < to; index++)
		ck_assert_uint_eq(slot_at(index)->lock, lock);
}

START_TEST(test_idle_slots_are_armed)
{
	stage_events(1, 2);
	stage_events(6, 3);
	check_collected(1, 0, 2);
	check_collected(6, 0, 3);
	stage__add_consumed(&stage, 1, 0, 2);
	stage__add_consumed(&stage, 6, 0, 3);
	ck_assert(stage__is_idle(&stage, NULL));
	ck_assert(!stage__is_armed(&stage, NULL));
	ck_assert(stage__arm(&stage, NULL));
	check_locks(0, SLOTS, PEAT_LOCK_ARMED);
	ck_assert(stage__is_armed(&stage, NULL));
	stage__disarm(&stage);
	check_locks(0, SLOTS, 0);
	ck_assert(!stage__is_armed(&stage, NULL));
}
END_TEST

static void check_not_idle(uint32_t locked)
{
	ck_assert(!stage__is_idle(&stage, NULL));
	ck_assert(!stage__arm(&stage, NULL));
	for (uint32_t index = 0; index < SLOTS; index++)
		ck_assert_uint_eq(slot_at(index)->lock, index == locked ? index + 1 : 0);
}

/* If one slot is not idle, no slot stays armed. */
START_TEST(test_busy_slots_are_not_armed)
{
	reserve(SLOTS - 1, 7);
	check_not_idle(SLOTS - 1);
	submit(SLOTS - 1, 0);
	check_not_idle(UINT32_MAX);
	check_collected(SLOTS - 1, 0, 1);
	check_not_idle(UINT32_MAX); /* the event is counted as consumed when its frame is read */
	stage__add_consumed(&stage, SLOTS - 1, 0, 1);
	ck_assert(stage__is_idle(&stage, NULL));
	ck_assert(stage__arm(&stage, NULL));
}
END_TEST

/* A program that locked its slot does not get it disarmed; nor does a later state of the slot. */
START_TEST(test_disarm_leaves_locked_slots)
{
	ck_assert(stage__arm(&stage, NULL));
	slot_at(2)->lock = 3;
	slot_at(3)->lock = 0;
	ck_assert(!stage__is_armed(&stage, NULL));
	stage__disarm(&stage);
	ck_assert_uint_eq(slot_at(2)->lock, 3);
	slot_at(2)->lock = 0;
	check_locks(0, SLOTS, 0);
}
END_TEST

START_TEST(test_only_slots_of_chosen_cpus_are_armed)
{
	struct cpus second = { 0 };

	ck_assert_int_eq(cpus__add(&second, 1), 0);
	reserve(0, 7); /* of the other CPU */
	ck_assert(stage__is_idle(&stage, &second));
	ck_assert(stage__arm(&stage, &second));
	ck_assert(stage__is_armed(&stage, &second));
	ck_assert_uint_eq(slot_at(0)->lock, 1);
	check_locks(1, PEAT_SLOTS, 0);
	check_locks(PEAT_SLOTS, SLOTS, PEAT_LOCK_ARMED);
	cpus__free(&second);
}
END_TEST

START_TEST(test_armed_slot_reads_as_free)
{
	struct peat_slot copy;

	ck_assert(stage__arm(&stage, NULL));
	stage__read(&stage, 1, &copy);
	ck_assert_uint_eq(copy.lock, 0);
	ck_assert(stage__read_consistent(&stage, 1, &copy));
	ck_assert(stage__is_armed(&stage, NULL)); /* as before */
	ck_assert_uint_eq(stage__count_stuck(&stage, 1), 0);
	ck_assert_uint_eq(stage__recover(&stage), 0); /* none was locked */
	check_locks(0, SLOTS, 0);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_staged_events_become_a_frame);
	tcase_add_test(tests, test_full_slot_is_collected_whole);
	tcase_add_test(tests, test_invalid_length_is_cut_to_the_slot);
	tcase_add_test(tests, test_locked_slot_is_not_locked_again);
	tcase_add_test(tests, test_read_copies_the_head);
	tcase_add_test(tests, test_reported_losses_are_stored);
	tcase_add_test(tests, test_consistent_read_needs_a_free_slot);
	tcase_add_test(tests, test_consistent_read_beside_a_collector);
	tcase_add_test(tests, test_consistent_read_changes_nothing_beside_a_collector);
	tcase_add_test(tests, test_map_is_of_whole_pages);
	tcase_add_test(tests, test_no_memory_to_map);
	tcase_add_test(tests, test_young_events_are_not_old_enough);
	tcase_add_test(tests, test_events_are_collected_after_the_frames_before_them);
	tcase_add_test(tests, test_taken_before_the_frames_before_them);
	tcase_add_test(tests, test_lost_events_are_not_waited_for);
	tcase_add_test(tests, test_start_skips_frames_of_earlier_readers);
	tcase_add_test(tests, test_missing_frames_are_skipped_after_a_grace_period);
	tcase_add_test(tests, test_frames_are_waited_for_until_the_grace_period_ends);
	tcase_add_test(tests, test_frames_sent_since_the_grace_period_are_waited_for);
	tcase_add_test(tests, test_slot_in_use_before_the_grace_period_is_waited_for);
	tcase_add_test(tests, test_slot_in_use_is_not_collected);
	tcase_add_test(tests, test_stuck_slot_is_locked_without_progress);
	tcase_add_test(tests, test_progress_of_two_kinds_is_progress);
	tcase_add_test(tests, test_marked_slots_are_still_stuck);
	tcase_add_test(tests, test_losses_without_a_slot_are_no_progress);
	tcase_add_test(tests, test_slot_locked_by_a_reader_is_not_stuck);
	tcase_add_test(tests, test_reclaimed_slot_keeps_its_events);
	tcase_add_test(tests, test_reclaiming_reads_the_last_event_head_that_fits);
	tcase_add_test(tests, test_reclaiming_a_full_slot_reads_no_type);
	tcase_add_test(tests, test_slots_of_dead_readers_are_recovered);
	tcase_add_test(tests, test_slots_of_programs_are_not_recovered);
	tcase_add_test(tests, test_recover_after_reader_died_while_emptying_a_slot);
	tcase_add_test(tests, test_idle_slots_are_armed);
	tcase_add_test(tests, test_busy_slots_are_not_armed);
	tcase_add_test(tests, test_disarm_leaves_locked_slots);
	tcase_add_test(tests, test_only_slots_of_chosen_cpus_are_armed);
	tcase_add_test(tests, test_armed_slot_reads_as_free);
}
