// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reclaim.c: rounds over rings and a stage in plain memory, some of whose slots are stuck. */
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include <peat/log.h>

#include "live/reclaim.h"
#include "unit/fake_grace_period.h"
#include "unit/live/live_maker.h"

#define CHECKS (2 + 1000 / 100) /* after which a slot counts as stuck: the tick is 100 ms */

/* ---- the grace period ------------------------------------------------------------------------ */

#define LIMIT_S 5

static sem_t may_end;
static bool was_waited_for; /* by the test's own thread, which could not end it */

/* Ends when the test says so, or after a while if the test waits for it. */
static void run_programs(void)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += LIMIT_S;
	while (sem_timedwait(&may_end, &limit))
		if (errno == ETIMEDOUT) {
			was_waited_for = true;
			return;
		}
}

static void setup(void)
{
	was_waited_for = false;
	ck_assert_int_eq(sem_init(&may_end, 0, 0), 0);
	fake_grace_period__set(NULL, 0);
	make_channel(0);
	fake_grace_period__set(run_programs, 0);
}

static void teardown(void)
{
	grace_thread__close(&made_inputs.grace);
	sem_destroy(&may_end);
	free_made();
	ck_assert(!was_waited_for);
}

/* ---- programs and rounds --------------------------------------------------------------------- */

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

/* Lets the programs end, and ticks until that is found; returns how many slots were collected. */
static unsigned end_programs(void)
{
	unsigned frames = 0;

	ck_assert(made_inputs.grace.is_begun);
	sem_post(&may_end);
	while (made_inputs.grace.is_begun)
		frames += tick();
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
	ck_assert_uint_eq(tick(), 0);
	ck_assert_uint_eq(tick(), 0);
	ck_assert_uint_eq(end_programs(), 1);
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

/* ---- slots that are locked ------------------------------------------------------------------- */

static void lock_slot(uint32_t index)
{
	made_slot(index)->lock = index + 1;
}

/* Ticks until a grace period has begun for the slot. */
static void begin_for(uint32_t index)
{
	lock_slot(index);
	for (int i = 0; i < CHECKS; i++)
		tick();
	ck_assert(made_inputs.grace.is_begun);
}

/* Returns how many frames of rings the rounds until the end have. */
static unsigned read_rings(void)
{
	struct piece piece;
	unsigned records = 0;

	while (inputs__next(&made_inputs, &piece))
		records += !!piece.record;
	return records;
}

START_TEST(test_rings_are_read_during_a_grace_period)
{
	begin_for(1);
	for (uint64_t seq = 0; seq < 20; seq++) {
		write_frame(1, 0, seq, 1, 1000);
		inputs__collect_soon(&made_inputs, false);
		ck_assert_uint_eq(read_rings(), 1);
	}
	ck_assert_uint_eq(made_slot(1)->lock, 2);
	end_programs();
	ck_assert_uint_eq(made_slot(1)->lock, 0);
	ck_assert_uint_eq(made_slot(1)->lost_abandoned, 1);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
}
END_TEST

static char warned[2][256]; /* the last two messages */

static void note(enum peat_log_level level, const char *text)
{
	if (level != PEAT_LOG_WARN)
		return;
	memcpy(warned[0], warned[1], sizeof(warned[0]));
	snprintf(warned[1], sizeof(warned[1]), "%s", text);
}

START_TEST(test_reclaimed_slots_are_reported)
{
	memset(warned, 0, sizeof(warned));
	peat_set_print(note);
	lock_slot(0);
	begin_for(PEAT_SLOTS + 1);
	ck_assert_str_eq(warned[1], "");
	end_programs();
	ck_assert_uint_eq(made_slot(0)->lost_abandoned, 1);
	ck_assert_uint_eq(made_slot(PEAT_SLOTS + 1)->lost_abandoned, 1);
	ck_assert_ptr_nonnull(strstr(warned[0], "a program on CPU 0 reserved an event"));
	ck_assert_ptr_nonnull(strstr(warned[1], "a program on CPU 1 reserved an event"));
	peat_set_print(NULL);
}
END_TEST

/* The program was slow. */
START_TEST(test_slot_released_during_a_grace_period)
{
	begin_for(1);
	stage_events(1, 1);
	end_programs();
	ck_assert_uint_eq(made_slot(1)->lock, 2);
	ck_assert_uint_eq(made_slot(1)->lost_abandoned, 0);
}
END_TEST

/* It may be locked by a program that began since. */
START_TEST(test_slot_locked_during_a_grace_period)
{
	begin_for(1);
	lock_slot(2);
	for (int i = 0; i < 2 * CHECKS; i++)
		tick();
	end_programs();
	ck_assert_uint_eq(made_slot(1)->lost_abandoned, 1);
	ck_assert_uint_eq(made_slot(2)->lock, 3);
	ck_assert_uint_eq(made_slot(2)->lost_abandoned, 0);
}
END_TEST

/* ---- flushes --------------------------------------------------------------------------------- */

/* A flush waits for the programs that run, and the rings are read as long. */
static void flush(unsigned waits)
{
	struct piece piece;

	lock_slot(1);
	stage_events(2, 3);
	inputs__collect_all(&made_inputs);
	for (uint64_t seq = 0; seq < 20; seq++) {
		write_frame(1, 0, seq, 1, 1000);
		ck_assert(inputs__next(&made_inputs, &piece));
		ck_assert_ptr_nonnull(piece.record);
	}
	ck_assert_uint_eq(made_slot(1)->lock, 2);
	ck_assert_uint_eq(made_slot(2)->count, 3);
	for (unsigned i = 0; i < waits; i++)
		sem_post(&may_end);
	ck_assert(inputs__next(&made_inputs, &piece));
	ck_assert_ptr_null(piece.record);
	ck_assert(!inputs__next(&made_inputs, &piece));
	ck_assert_uint_eq(made_slot(1)->lost_abandoned, 1);
	ck_assert_uint_eq(made_slot(2)->count, 0);
	ck_assert_uint_eq(fake_grace_period__waits(), waits);
	ck_assert(!inputs__next(&made_inputs, &piece));
	ck_assert_uint_eq(fake_grace_period__waits(), waits);
}

START_TEST(test_flush_reads_rings)
{
	memset(warned, 0, sizeof(warned));
	peat_set_print(note);
	flush(1);
	peat_set_print(NULL);
	ck_assert_str_eq(warned[0], "");
	ck_assert_ptr_nonnull(strstr(warned[1], "reserved an event"));
}
END_TEST

/* Programs that run now began after that grace period: another one has to pass. */
START_TEST(test_flush_during_a_grace_period)
{
	stage_events(3, 5);
	send_frame(3);
	stage_events(3, 1);
	for (int i = 0; i <= CHECKS; i++)
		tick();
	ck_assert(made_inputs.grace.is_begun);
	stage__add_consumed(&made_inputs.stage, 3, 0, 5);
	ck_assert_uint_eq(tick(), 1);
	flush(2);
}
END_TEST

/* Everything else is collected, though no slot is reclaimed. */
START_TEST(test_flush_without_a_grace_period)
{
	fake_grace_period__set(NULL, -ENOMEM);
	lock_slot(1);
	stage_events(2, 3);
	inputs__collect_all(&made_inputs);
	memset(warned, 0, sizeof(warned));
	peat_set_print(note);
	ck_assert_uint_eq(read_rings(), 0);
	peat_set_print(NULL);
	ck_assert_ptr_nonnull(strstr(warned[1], "cannot wait for running programs: Cannot alloc"));
	ck_assert_uint_eq(made_slot(2)->count, 0);
	ck_assert_uint_eq(made_slot(1)->lock, 2);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_missing_frame_is_waited_for);
	tcase_add_test(tests, test_empty_slot_waits_for_no_frame);
	tcase_add_test(tests, test_empty_slot_of_lost_events_waits_for_no_frame);
	tcase_add_test(tests, test_busy_slot_waits_for_no_frame);
	tcase_add_test(tests, test_rings_are_read_during_a_grace_period);
	tcase_add_test(tests, test_reclaimed_slots_are_reported);
	tcase_add_test(tests, test_slot_released_during_a_grace_period);
	tcase_add_test(tests, test_slot_locked_during_a_grace_period);
	tcase_add_test(tests, test_flush_reads_rings);
	tcase_add_test(tests, test_flush_during_a_grace_period);
	tcase_add_test(tests, test_flush_without_a_grace_period);
}
