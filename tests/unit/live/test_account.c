// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_account.c: ledgers of a channel whose slots and rings are in plain memory. */
#include "unit/fail_alloc.h"
#include "unit/fake_grace_period.h"
#include "unit/live/live_maker.h"

static struct peat_ledger ledger;

static void fill(uint32_t cpu)
{
	memset(&ledger, 0xee, sizeof(ledger));
	ck_assert_int_eq(account__fill(&made_accounts, cpu, &ledger), 0);
}

/* Sets counts from before the reader was opened: sent, lost, and still staged. */
static void count_before(struct peat_slot *slot)
{
	slot->seq = 100;
	slot->lost_ring_full = 10;
	slot->lost_no_ring = 20;
	slot->lost_other = 30;
	slot->lost_too_big = 4;
	slot->count = 5;
	slot->len = 80;
	slot->frames = 9;
}

START_TEST(test_new_channel_counts_nothing)
{
	make_channel(0);
	fill(PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.emitted, 0);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_uint_eq(ledger.corrupt, 0);
	ck_assert_uint_eq(ledger.held, 0);
	ck_assert_uint_eq(ledger.frames_lost, 0);
	free_made();
}
END_TEST

/* Earlier counts are excluded, except events that are still staged. */
START_TEST(test_earlier_counts_are_excluded)
{
	make_slots();
	count_before(made_slot(PEAT_SLOTS + 1));
	make_channel(0);
	fill(1);
	ck_assert_uint_eq(ledger.emitted, 5);
	ck_assert_uint_eq(ledger.staged, 5);
	ck_assert_uint_eq(ledger.in_ring, 0);
	ck_assert_uint_eq(ledger.lost_ring_full + ledger.lost_no_ring + ledger.lost_other, 0);
	ck_assert_uint_eq(ledger.lost_too_big, 0);
	fill(0);
	ck_assert_uint_eq(ledger.emitted, 0);
	made_slot(PEAT_SLOTS + 1)->seq += 7;
	made_slot(PEAT_SLOTS + 1)->lost_other += 2;
	fill(1);
	ck_assert_uint_eq(ledger.emitted, 12);
	ck_assert_uint_eq(ledger.lost_other, 2);
	ck_assert_uint_eq(ledger.in_ring, 5);
	free_made();
}
END_TEST

/* A program has counted an event in its table, and that it ended is not visible yet. */
START_TEST(test_counted_before_ended)
{
	struct peat_table_head *head = calloc(MADE_CPUS, sizeof(*head));

	ck_assert_ptr_nonnull(head);
	make_channel(0);
	made_channel.cells.memory = (void *)head;
	made_channel.cells.element_bytes = sizeof(*head);
	made_slot(PEAT_SLOTS)->ended = 3;
	head[1].counted = 4;
	fill(1);
	ck_assert_uint_eq(ledger.counted, 4);
	ck_assert_uint_eq(ledger.filtered, 0);
	ck_assert_uint_eq(ledger.emitted, 4);
	ck_assert_uint_eq(ledger.in_ring, 0);
	made_slot(PEAT_SLOTS)->ended = 6;
	fill(PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.counted, 4);
	ck_assert_uint_eq(ledger.filtered, 2);
	ck_assert_uint_eq(ledger.emitted, 6);
	made_channel.cells.memory = NULL;
	free(head);
	free_made();
}
END_TEST

/* A program that is between two of its stores when the reader is opened, and ends its event later.
 */
static void end_event(void)
{
	struct peat_slot *slot = made_slot(0);

	slot->seq++;
	slot->lock = 0;
}

START_TEST(test_base_of_running_programs)
{
	struct peat_slot *slot;

	make_slots();
	slot = made_slot(0);
	slot->seq = 100;
	slot->count = 5; /* one of them is not in `seq` yet */
	slot->len = 80;
	slot->lock = 1;
	fake_grace_period__set(end_event, 0);
	make_channel(0);
	fake_grace_period__set(NULL, 0);
	if (slot->lock)
		end_event(); /* too late */
	fill(0);
	ck_assert_uint_eq(ledger.emitted, 5);
	ck_assert_uint_eq(ledger.staged, 5);
	ck_assert_uint_eq(ledger.in_ring, 0);
	free_made();
}
END_TEST

/* A slot that nobody releases does not keep the reader from opening. */
START_TEST(test_base_of_abandoned_slot)
{
	make_slots();
	made_slot(0)->seq = 100;
	made_slot(0)->lock = 1;
	fake_grace_period__set(NULL, 0);
	make_channel(0);
	ck_assert_uint_gt(fake_grace_period__waits(), 0);
	ck_assert_uint_lt(fake_grace_period__waits(), 10);
	fill(0);
	ck_assert_uint_eq(ledger.emitted, 0);
	free_made();
}
END_TEST

static void check_next_loss(uint32_t cpu, enum peat_lost_cause cause, uint64_t lost)
{
	struct peat_event event = { 0 };

	ck_assert(account__next_loss(&made_accounts, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event.cpu, cpu);
	ck_assert_int_eq(event.cause, cause);
	ck_assert_uint_eq(event.lost, lost);
}

static void check_no_loss(void)
{
	struct peat_event event = { 0 };

	ck_assert(!account__next_loss(&made_accounts, &event));
	ck_assert_uint_eq(event.lost, 0);
}

/* Each loss is reported once, by slot and cause; earlier ones are not. */
START_TEST(test_losses_are_reported_once)
{
	struct peat_event event = { 0 };
	struct peat_slot *slot;

	make_slots();
	slot = made_slot(PEAT_SLOTS + 1);
	count_before(slot);
	make_channel(0);
	check_no_loss();
	made_slot(0)->lost_throttled = 3;
	slot->lost_ring_full += 1;
	slot->lost_nested += 2;
	slot->lost_no_ring += 3;
	slot->lost_too_big += 4;
	slot->lost_throttled += 5;
	slot->lost_abandoned += 6;
	slot->lost_other += 7;
	check_next_loss(0, PEAT_LOST_THROTTLED, 3);
	check_next_loss(1, PEAT_LOST_RING_FULL, 1);
	check_next_loss(1, PEAT_LOST_NESTED, 2);
	check_next_loss(1, PEAT_LOST_NO_RING, 3);
	check_next_loss(1, PEAT_LOST_TOO_BIG, 4);
	check_next_loss(1, PEAT_LOST_THROTTLED, 5);
	check_next_loss(1, PEAT_LOST_ABANDONED, 6);
	check_next_loss(1, PEAT_LOST_OTHER, 7);
	check_no_loss();
	slot->lost_ring_full += 9;
	made_accounts.streams[PEAT_SLOTS + 1].missing = 1 + 3 + 7 + 9 + 2;
	ck_assert(!account__next_gap(&made_accounts, PEAT_SLOTS, &event));
	ck_assert(account__next_gap(&made_accounts, PEAT_SLOTS + 1, &event));
	ck_assert_uint_eq(event.lost, 9);
	check_next_loss(1, PEAT_LOST_CORRUPT, 2);
	check_no_loss();
	free_made();
}
END_TEST

/* Programs that outlive their readers: losses that no reader reported are in the next ledger. */
START_TEST(test_unreported_losses_are_counted)
{
	struct inputs *inputs = &made_inputs;
	struct peat_slot *slot;

	make_slots();
	slot = made_slot(0);
	count_before(slot);
	slot->reported_ring_full = 9;
	slot->reported_no_ring = 17;
	slot->reported_other = 25;
	make_channel(0);
	account__close(&made_accounts);
	inputs->rings.keep_slots = true;
	ck_assert_int_eq(account__open(&made_accounts, inputs), 0);
	fill(0);
	ck_assert_uint_eq(ledger.lost_ring_full, 1);
	ck_assert_uint_eq(ledger.lost_no_ring, 3);
	ck_assert_uint_eq(ledger.lost_other, 5);
	ck_assert_uint_eq(ledger.emitted, 5 + 1 + 3 + 5);
	ck_assert_uint_eq(ledger.in_ring, 0);
	/* The fill reported them. */
	ck_assert_uint_eq(slot->reported_ring_full, 10);
	ck_assert_uint_eq(slot->reported_no_ring, 20);
	ck_assert_uint_eq(slot->reported_other, 30);
	free_made();
}
END_TEST

/* The ledger since the load has all losses; events that left the slot are of earlier readers. */
START_TEST(test_counts_since_load)
{
	struct inputs *inputs = &made_inputs;
	struct peat_slot *slot;

	make_slots();
	slot = made_slot(0);
	count_before(slot);
	slot->ended = 3;
	make_channel(0);
	account__close(&made_accounts);
	inputs->is_since_load = true;
	ck_assert_int_eq(account__open(&made_accounts, inputs), 0);
	fill(0);
	ck_assert_uint_eq(ledger.emitted, 100 + 4 + 3);
	ck_assert_uint_eq(ledger.former, 100 - 5 - 10 - 20 - 30);
	ck_assert_uint_eq(ledger.staged, 5);
	ck_assert_uint_eq(ledger.filtered, 3);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 10 + 20 + 30 + 4);
	ck_assert_uint_eq(ledger.in_ring, 0);
	slot->seq += 7;
	made_accounts.of_cpus[0].delivered = 4;
	fill(0);
	ck_assert_uint_eq(ledger.former, 35);
	ck_assert_uint_eq(ledger.read, 4);
	ck_assert_uint_eq(ledger.in_ring, 3);
	inputs->is_since_load = false;
	free_made();
}
END_TEST

/* Events missing beyond the slot's losses were in invalid frames.  Slots are independent. */
START_TEST(test_missing_events_are_corrupt)
{
	make_slots();
	count_before(made_slot(PEAT_SLOTS + 3));
	make_channel(0);
	made_slot(PEAT_SLOTS + 3)->seq += 50;
	made_slot(PEAT_SLOTS + 3)->lost_ring_full += 2;
	made_accounts.streams[PEAT_SLOTS + 3].missing = 2;
	fill(1);
	ck_assert_uint_eq(ledger.corrupt, 0);
	made_accounts.streams[PEAT_SLOTS + 3].missing = 5;
	fill(1);
	ck_assert_uint_eq(ledger.corrupt, 3);
	made_accounts.streams[PEAT_SLOTS].missing = 4;
	made_accounts.streams[PEAT_SLOTS + 1].missing = -9;
	fill(1);
	ck_assert_uint_eq(ledger.corrupt, 7);
	fill(0);
	ck_assert_uint_eq(ledger.corrupt, 0);
	made_accounts.streams[0].missing = 1;
	fill(0);
	ck_assert_uint_eq(ledger.corrupt, 1);
	fill(PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.corrupt, 8);
	free_made();
}
END_TEST

/*
 * Two snapshots of one slot: 30 events before the first frame were overwritten, 5 of the gap were
 * lost.  Then 10 that were lost are among those before the next frame.
 */
START_TEST(test_overwritten_events_are_counted)
{
	struct peat_slot *slot;

	make_channel(0);
	slot = made_slot(PEAT_SLOTS + 2);
	slot->seq = 55;
	slot->lost_other = 5;
	account__skip(&made_accounts, PEAT_SLOTS + 2, 30);
	account__deliver(&made_accounts, PEAT_SLOTS + 2, 30, 40, 10);
	account__deliver(&made_accounts, PEAT_SLOTS + 2, 45, 55, 10);
	fill(1);
	ck_assert_uint_eq(ledger.overwritten, 30);
	ck_assert_uint_eq(ledger.delivered, 20);
	ck_assert_uint_eq(ledger.lost_other, 5);
	ck_assert_uint_eq(ledger.corrupt, 0);
	ck_assert_uint_eq(ledger.in_ring, 0);
	slot->seq = 155;
	slot->lost_no_ring = 10;
	account__skip(&made_accounts, PEAT_SLOTS + 2, 50); /* nothing: it is past that */
	ck_assert_uint_eq(made_accounts.streams[PEAT_SLOTS + 2].next_seq, 55);
	ck_assert_uint_eq(made_accounts.streams[PEAT_SLOTS + 2].skipped, 30);
	account__skip(&made_accounts, PEAT_SLOTS + 2, 145);
	account__deliver(&made_accounts, PEAT_SLOTS + 2, 145, 155, 10);
	fill(1);
	ck_assert_uint_eq(ledger.overwritten, 30 + 80);
	ck_assert_uint_eq(ledger.delivered, 30);
	ck_assert_uint_eq(ledger.corrupt, 0);
	ck_assert_uint_eq(ledger.in_ring, 0);
	fill(0);
	ck_assert_uint_eq(ledger.overwritten, 0);
	free_made();
}
END_TEST

/* A gap within a snapshot that no loss explains. */
START_TEST(test_gap_of_a_snapshot)
{
	make_channel(0);
	made_slot(0)->seq = 30;
	account__deliver(&made_accounts, 0, 0, 10, 10);
	account__deliver(&made_accounts, 0, 20, 30, 10);
	fill(0);
	ck_assert_uint_eq(ledger.corrupt, 10);
	ck_assert_uint_eq(ledger.overwritten, 0);
	ck_assert_uint_eq(ledger.in_ring, 0);
	free_made();
}
END_TEST

/* Events that were staged when the reader was opened come first in its stream. */
START_TEST(test_stream_begins_with_staged_events)
{
	make_slots();
	count_before(made_slot(1));
	make_channel(0);
	ck_assert_uint_eq(made_accounts.streams[1].next_seq, 95);
	made_slot(1)->seq = 120;
	account__deliver(&made_accounts, 1, 95, 100, 5);
	account__deliver(&made_accounts, 1, 112, 120, 8);
	fill(0);
	ck_assert_uint_eq(ledger.corrupt, 12);
	ck_assert_uint_eq(ledger.delivered, 13);
	free_made();
}
END_TEST

/* Events that were returned, but could not be written: they are of the snapshot's CPU alone. */
START_TEST(test_unwritten_events_are_overwritten)
{
	make_channel(0);
	made_slot(PEAT_SLOTS)->seq = 10;
	account__deliver(&made_accounts, PEAT_SLOTS, 0, 10, 10);
	account__overwrite(&made_accounts, 1, 3);
	fill(1);
	ck_assert_uint_eq(ledger.delivered, 7);
	ck_assert_uint_eq(ledger.overwritten, 3);
	ck_assert_uint_eq(ledger.in_ring, 0);
	fill(0);
	ck_assert_uint_eq(ledger.overwritten, 0);
	free_made();
}
END_TEST

/* ---- copies ---------------------------------------------------------------------------------- */

static void fill_copy(const struct accounts *copy, uint32_t cpu)
{
	ck_assert_int_eq(account__fill(copy, cpu, &ledger), 0);
}

/* A copy has the counts of when they were copied. */
START_TEST(test_copy_keeps_its_counts)
{
	struct accounts copy;

	make_channel(0);
	made_slot(0)->seq = 20;
	made_slot(MADE_SLOTS - 1)->seq = 100;
	account__deliver(&made_accounts, 0, 0, 20, 20);
	ck_assert_int_eq(account__open_copy(&copy, &made_accounts), 0);
	fill_copy(&copy, PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.delivered, 20);
	account__skip(&made_accounts, MADE_SLOTS - 1, 30);
	account__deliver(&made_accounts, MADE_SLOTS - 1, 32, 100, 68);
	account__overwrite(&made_accounts, 0, 4);
	made_accounts.of_cpus[1].held = 5;
	fill_copy(&copy, 1);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_uint_eq(ledger.overwritten + ledger.corrupt + ledger.held, 0);
	account__copy_counts(&copy, &made_accounts);
	fill_copy(&copy, 1);
	ck_assert_uint_eq(ledger.delivered, 68);
	ck_assert_uint_eq(ledger.overwritten, 30);
	ck_assert_uint_eq(ledger.corrupt, 2);
	ck_assert_uint_eq(ledger.held, 5);
	fill_copy(&copy, 0);
	ck_assert_uint_eq(ledger.delivered, 16);
	ck_assert_uint_eq(ledger.overwritten, 4);
	account__close(&copy);
	free_made();
}
END_TEST

/* The reader's own counts, and the losses of its rings' perf events. */
START_TEST(test_own_counts)
{
	const uint32_t uncounted = 6;

	make_channel(0);
	made_slot(0)->seq = 40;
	made_accounts.of_cpus[0].delivered = 20;
	made_accounts.of_cpus[0].held = 3;
	made_accounts.of_cpus[1].delivered = 1;
	made_slot(PEAT_SLOTS)->seq = 1;
	made_accounts.uncounted = &uncounted;
	made_accounts.uncounted_cpu = 0;
	made_rings[0].events[0].lost = 11;
	made_rings[0].events[1].lost = 1000; /* of the side event */
	made_rings[1].events[0].lost = 31;
	fill(0);
	ck_assert_uint_eq(ledger.delivered, 26);
	ck_assert_uint_eq(ledger.held, 3);
	ck_assert_uint_eq(ledger.in_ring, 11);
	ck_assert_uint_eq(ledger.frames_lost, 11);
	fill(1);
	ck_assert_uint_eq(ledger.delivered, 1);
	ck_assert_uint_eq(ledger.held, 0);
	fill(PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.emitted, 41);
	ck_assert_uint_eq(ledger.delivered, 27);
	ck_assert_uint_eq(ledger.frames_lost, 42);
	free_made();
}
END_TEST

/* Both arrays are needed; a failed open can be closed. */
START_TEST(test_no_memory)
{
	struct accounts accounts = { 0 };
	unsigned failed = 0;

	make_channel(0);
	for (long blocks = fail_alloc__blocks();; failed++) {
		int err;

		fail_alloc__begin(failed + 1);
		err = account__open(&accounts, &made_inputs);
		if (!fail_alloc__end()) {
			ck_assert_int_eq(err, 0);
			account__close(&accounts);
			break;
		}
		ck_assert_int_eq(err, -ENOMEM);
		account__close(&accounts);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	ck_assert(failed == 2 || !failed); /* none with sanitizers */
	free_made();
}
END_TEST

/* A ring whose losses cannot be read: no ledger has less than all CPUs. */
START_TEST(test_losses_unreadable)
{
	make_channel(0);
	made_rings[0].events[0].fd = 1 << 20; /* not open */
	ck_assert_int_lt(account__fill(&made_accounts, 0, &ledger), 0);
	ck_assert_int_eq(account__fill(&made_accounts, 1, &ledger), 0);
	ck_assert_int_lt(account__fill(&made_accounts, PEAT_ALL_CPUS, &ledger), 0);
	free_made();
}
END_TEST

START_TEST(test_closed_twice)
{
	make_channel(0);
	account__close(&made_accounts);
	ck_assert_ptr_null(made_accounts.streams);
	ck_assert_ptr_null(made_accounts.of_cpus);
	account__close(&made_accounts);
	free_made();
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_new_channel_counts_nothing);
	tcase_add_test(tests, test_earlier_counts_are_excluded);
	tcase_add_test(tests, test_counted_before_ended);
	tcase_add_test(tests, test_base_of_running_programs);
	tcase_add_test(tests, test_base_of_abandoned_slot);
	tcase_add_test(tests, test_losses_are_reported_once);
	tcase_add_test(tests, test_counts_since_load);
	tcase_add_test(tests, test_unreported_losses_are_counted);
	tcase_add_test(tests, test_missing_events_are_corrupt);
	tcase_add_test(tests, test_overwritten_events_are_counted);
	tcase_add_test(tests, test_gap_of_a_snapshot);
	tcase_add_test(tests, test_stream_begins_with_staged_events);
	tcase_add_test(tests, test_unwritten_events_are_overwritten);
	tcase_add_test(tests, test_copy_keeps_its_counts);
	tcase_add_test(tests, test_own_counts);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_losses_unreadable);
	tcase_add_test(tests, test_closed_twice);
}
