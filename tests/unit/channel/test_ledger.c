// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ledger.c: ledgers made from the counts of slots. */
#include <stdlib.h>

#include "channel/ledger.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define SLOT_BYTES 4096u
#define CPUS	   3u

static struct stage stage;
static unsigned char *memory;

static struct peat_slot *slot_at(uint32_t cpu, uint32_t slot)
{
	return (void *)(memory + (cpu * PEAT_SLOTS + slot) * SLOT_BYTES);
}

/* Sets different counts in each slot of a CPU, so that a mix-up shows. */
static void set_counts(uint32_t cpu, uint64_t factor)
{
	for (uint32_t i = 0; i < PEAT_SLOTS; i++) {
		struct peat_slot *slot = slot_at(cpu, i);

		slot->count = (uint32_t)factor;
		slot->seq = factor * 1000;
		slot->discarded = factor * 2;
		slot->lost_abandoned = factor * 3;
		slot->lost_nested = factor * 5;
		slot->lost_throttled = factor * 7;
		slot->lost_too_big = factor * 11;
		slot->lost_ring_full = factor * 13;
		slot->lost_no_ring = factor * 17;
		slot->lost_other = factor * 19;
		slot->misuse = factor * 23;
		slot->frames = factor * 29;
		slot->frames_ring_full = factor * 31;
		factor *= 100;
	}
}

static void setup(void)
{
	memory = calloc(CPUS * PEAT_SLOTS, SLOT_BYTES);
	ck_assert_ptr_nonnull(memory);
	ck_assert_int_eq(stage__init(&stage, memory, CPUS * PEAT_SLOTS, SLOT_BYTES), 0);
	set_counts(0, 1);
	set_counts(1, 2);
	set_counts(2, 3);
}

static void teardown(void)
{
	stage__unmap(&stage);
	free(memory);
}

START_TEST(test_add_cpu_adds_all_its_slots)
{
	const uint64_t sum = 2 * 1010101;
	struct peat_ledger ledger = { 0 };

	ledger__add_cpu(&ledger, &stage, 1, false);
	/* Events with a sequence number, and events lost before they got one. */
	ck_assert_uint_eq(ledger.emitted, sum * (1000 + 3 + 5 + 7 + 11));
	ck_assert_uint_eq(ledger.staged, sum);
	ck_assert_uint_eq(ledger.lost_abandoned, sum * 3);
	ck_assert_uint_eq(ledger.lost_nested, sum * 5);
	ck_assert_uint_eq(ledger.lost_throttled, sum * 7);
	ck_assert_uint_eq(ledger.lost_too_big, sum * 11);
	ck_assert_uint_eq(ledger.lost_ring_full, sum * 13);
	ck_assert_uint_eq(ledger.lost_no_ring, sum * 17);
	ck_assert_uint_eq(ledger.lost_other, sum * 19);
	ck_assert_uint_eq(ledger.discarded, sum * 2);
	ck_assert_uint_eq(ledger.misuse, sum * 23);
	ck_assert_uint_eq(ledger.frames, sum * 29);
	ck_assert_uint_eq(ledger.frames_ring_full, sum * 31);
	ck_assert_uint_eq(ledger.delivered + ledger.held + ledger.corrupt + ledger.in_ring, 0);
}
END_TEST

START_TEST(test_add_slot_adds_its_counts)
{
	struct peat_ledger ledger = { 0 };
	struct peat_slot slot;

	stage__read(&stage, PEAT_SLOTS + 1, &slot);
	ck_assert_uint_eq(stage__lost_output(&slot), 200 * (13 + 17 + 19));
	ledger__add_slot(&ledger, &slot);
	ck_assert_uint_eq(ledger.emitted, 200 * (1000 + 3 + 5 + 7 + 11));
	ck_assert_uint_eq(ledger.lost_other, 200 * 19);
}
END_TEST

START_TEST(test_close_sets_in_ring_to_the_remainder)
{
	struct peat_ledger ledger = { 0 };

	ledger__add_cpu(&ledger, &stage, 0, false);
	ledger.delivered = 300;
	ledger.held = 20;
	ledger.corrupt = 4;
	ledger__close(&ledger);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + ledger.held + ledger.staged +
						  ledger.in_ring + peat_ledger__lost(&ledger));
	ck_assert_uint_eq(ledger.in_ring, 1010101 * (1000 - 1 - 13 - 17 - 19) - 324);
}
END_TEST

START_TEST(test_subtract_and_add_are_inverse)
{
	struct peat_ledger before = { 0 }, after = { 0 };

	ledger__add_cpu(&before, &stage, 0, false);
	ledger__add_cpu(&after, &stage, 2, false);
	ledger__subtract(&after, &before);
	ck_assert_uint_eq(after.emitted, 2 * before.emitted);
	ck_assert_uint_eq(after.frames_ring_full, 2 * before.frames_ring_full);
	ledger__add(&after, &before);
	ck_assert_uint_eq(after.emitted, 3 * before.emitted);
	ck_assert_uint_eq(after.frames_ring_full, 3 * before.frames_ring_full);
	ck_assert_uint_eq(after.sz, 0);
}
END_TEST

/* For the next reader, which reports only later losses. */
START_TEST(test_reported_losses_are_marked)
{
	struct peat_ledger ledger = { 0 };
	struct peat_slot slot;

	ledger__add_cpu(&ledger, &stage, 1, false);
	stage__read(&stage, PEAT_SLOTS, &slot);
	ck_assert_uint_eq(slot.reported_ring_full + slot.reported_no_ring + slot.reported_other, 0);
	ledger__add_cpu(&ledger, &stage, 1, true);
	for (uint32_t i = 0; i < PEAT_SLOTS; i++) {
		stage__read(&stage, PEAT_SLOTS + i, &slot);
		ck_assert_uint_ne(slot.reported_ring_full, 0);
		ck_assert_uint_eq(slot.reported_ring_full, slot.lost_ring_full);
		ck_assert_uint_eq(slot.reported_no_ring, slot.lost_no_ring);
		ck_assert_uint_eq(slot.reported_other, slot.lost_other);
	}
	stage__read(&stage, 2 * PEAT_SLOTS, &slot);
	ck_assert_uint_eq(slot.reported_ring_full, 0);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_add_cpu_adds_all_its_slots);
	tcase_add_test(tests, test_add_slot_adds_its_counts);
	tcase_add_test(tests, test_close_sets_in_ring_to_the_remainder);
	tcase_add_test(tests, test_reported_losses_are_marked);
	tcase_add_test(tests, test_subtract_and_add_are_inverse);
}
