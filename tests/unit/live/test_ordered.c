// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ordered.c: events of rings and slots in plain memory, in the order of time. */
#include <errno.h>
#include <string.h>

#include "base/monotonic.h"
#include "live/ordered.h"
#include "unit/fail_alloc.h"
#include "unit/live/live_maker.h"

#define HOUR_NS 3600000000000ull

static struct ordered ordered;

static void begin(uint32_t latency_ms)
{
	memset(&ordered, 0, sizeof(ordered));
	ck_assert_int_eq(ordered__open(&ordered, &made_intake, latency_ms), 0);
}

static void end(void)
{
	ordered__close(&ordered);
	free_made();
	made_ring_bytes = MADE_RING_BYTES;
}

static void check_next(uint64_t time_ns, uint32_t cpu)
{
	ck_assert(ordered__next(&ordered));
	ck_assert_uint_eq(made_reader.event.time_ns, time_ns);
	ck_assert_uint_eq(made_reader.event.cpu, cpu);
}

static void write_number(uint32_t cpu, uint64_t time_ns, uint32_t number)
{
	const uint32_t payload[3] = { number, 0, 0 };

	write_sample(cpu, time_ns, payload, sizeof(payload));
}

/* Rings are merged, and each event has its own record again. */
START_TEST(test_raw_rings_are_merged)
{
	make_raw(1, true, 0);
	begin(0);
	write_number(0, 10, 1);
	write_number(0, 30, 3);
	write_number(1, 20, 2);
	write_number(1, 40, 4);
	for (uint32_t i = 1; i <= 4; i++) {
		check_next(10 * i, i % 2 ? 0 : 1);
		ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_DATA);
		ck_assert_uint_eq(*(const uint32_t *)made_reader.event.data, i);
		ck_assert_uint_eq(made_reader.event.size, 12);
		ck_assert_uint_eq(made_reader.event.record->time_ns, 10 * i);
		ck_assert(!made_reader.event.late);
		ck_assert(ordered__is_ready(&ordered) == (i < 4));
	}
	ck_assert(!ordered__next(&ordered));
	ck_assert_uint_eq(ordered.order.run_count, ordered.order.streams); /* each ring is sorted */
	end();
}
END_TEST

/* An event is held while older ones may follow, until ordered__flush(). */
START_TEST(test_held_until_flush)
{
	uint64_t later_ns = monotonic_ns() + HOUR_NS;

	make_raw(1, true, 0);
	begin(0);
	write_number(0, later_ns, 1);
	write_number(1, 5, 2);
	check_next(5, 1);
	ck_assert(!ordered__next(&ordered));
	ck_assert(!ordered__is_ready(&ordered));
	ck_assert(!ordered__next(&ordered));
	write_number(1, later_ns - 1, 3);
	ordered__flush(&ordered);
	check_next(later_ns - 1, 1);
	check_next(later_ns, 0);
	ck_assert(!ordered__next(&ordered));
	ck_assert(!ordered.is_last);
	end();
}
END_TEST

/* Flushed while released events are still being returned: the drain after those is the last. */
START_TEST(test_flush_in_a_round)
{
	uint64_t later_ns = monotonic_ns() + HOUR_NS;

	make_raw(1, true, 0);
	begin(0);
	write_number(0, 5, 1);
	write_number(1, 6, 2);
	check_next(5, 0);
	ordered__flush(&ordered);
	write_number(0, later_ns, 3);
	check_next(6, 1);
	check_next(later_ns, 0);
	ck_assert(!ordered__next(&ordered));
	ck_assert(!ordered.is_last);
	end();
}
END_TEST

/* Records become visible up to a quarter of the latency after their time. */
START_TEST(test_in_flight)
{
	uint64_t now_ns = monotonic_ns();

	make_raw(1, true, 0);
	begin(400000);
	ck_assert_uint_eq(ordered.returned.in_flight_ns, 100000000000ull);
	if (now_ns > 50000000000ull) { /* 50 s: the machine has been up for longer */
		write_number(0, now_ns - 50000000000ull, 1);
		ck_assert(!ordered__next(&ordered));
	}
	ordered__flush(&ordered);
	while (ordered__next(&ordered))
		;
	end();
	make_raw(1, true, 0);
	begin(4);
	ck_assert_uint_eq(ordered.returned.in_flight_ns, 1000000);
	if (now_ns > 1000000000) {
		write_number(0, now_ns - 1000000000, 1);
		ck_assert(ordered__next(&ordered));
	}
	end();
}
END_TEST

START_TEST(test_limits_follow_ring_size)
{
	make_raw(1, true, 0);
	begin(0);
	ck_assert_uint_eq(ordered.order.limit_bytes, 512 * 1024);
	ck_assert_uint_eq(ordered.order.streams, MADE_CPUS * (PEAT_SLOTS + 1));
	ck_assert(ordered.returned.has_records);
	ordered__close(&ordered);
	made_inputs.rings.ring_bytes = 1 << 20;
	begin(0);
	ck_assert_uint_eq(ordered.order.limit_bytes, 8 * MADE_CPUS << 20);
	end();
}
END_TEST

/* More events than are returned between two fetches: all are returned, in order. */
START_TEST(test_many_events_in_order)
{
	uint32_t number = 0, seen = 0;

	make_raw(1, true, 0);
	begin(0);
	while (number < 5000) {
		uint64_t now_ns = monotonic_ns();

		for (uint32_t i = 0; i < 200; i++, number++)
			write_number(number % 2, now_ns + i, number);
		while (ordered__next(&ordered))
			ck_assert_uint_eq(*(const uint32_t *)made_reader.event.data, seen++);
	}
	ck_assert_uint_eq(seen, number);
	ck_assert_uint_eq(ordered.order.late, 0);
	end();
}
END_TEST

/*
 * While many events are returned, the rings are read after each 1024 of them, 1024 events at a
 * time, until they have been read to the end once.
 */
START_TEST(test_fetches_between)
{
	const uint64_t soon_ns = monotonic_ns() + HOUR_NS;
	const uint32_t held = 5000, more = 3000;
	uint64_t before;

	made_ring_bytes = 256 * 1024;
	make_raw(1, true, 0);
	begin(0);
	for (uint32_t i = 0; i < held; i++)
		write_number(0, soon_ns + i, 0);
	ck_assert(!ordered__next(&ordered));
	ordered__flush(&ordered);
	check_next(soon_ns, 0);
	for (uint32_t i = 0; i < more; i++)
		write_number(1, soon_ns + held + i, 1);
	before = made_reader.stats.records;
	for (uint32_t i = 1; i < held; i++) {
		uint32_t fetched = i / 1024 * 1024;

		if (i == held - 1000)
			write_number(1, soon_ns + held + more, 1);
		check_next(soon_ns + i, 0);
		ck_assert_uint_eq(made_reader.stats.records - before,
				  fetched < more ? fetched : more);
	}
	for (uint32_t i = 0; i < more; i++)
		check_next(soon_ns + held + i, 1);
	end();
}
END_TEST

/*
 * If many events are held, slots are collected soon, and no ring is read until held events have
 * been returned.
 */
START_TEST(test_much_is_held)
{
	const uint64_t soon_ns = monotonic_ns() + HOUR_NS;
	uint32_t held = 0, before;

	make_raw(1, true, 0);
	begin(0);
	while (ordered.order.buffered_bytes <= ordered.order.limit_bytes / 4) {
		ck_assert(!made_inputs.collect_soon);
		for (uint32_t i = 0; i < 200; i++)
			write_number(0, soon_ns + held++, 0);
		ck_assert(!ordered__next(&ordered));
		ck_assert_uint_eq(ordered.order.until_ns < soon_ns, true);
	}
	ck_assert(made_inputs.collect_soon && made_inputs.is_urgent);
	ck_assert_uint_lt(ordered.order.buffered_bytes, ordered.order.limit_bytes / 2);
	for (uint32_t i = ordered.stalls; i < 20; i++)
		ck_assert(!ordered__next(&ordered));
	ordered__flush(&ordered);
	check_next(soon_ns, 0);
	write_number(1, soon_ns + held, 1);
	before = made_reader.stats.records;
	for (uint32_t i = 1; ordered.order.buffered_bytes > ordered.order.limit_bytes / 4; i++)
		check_next(soon_ns + i, 0);
	ck_assert_uint_eq(made_reader.stats.records, before);
	while (ordered__next(&ordered))
		;
	end();
}
END_TEST

/* No memory: the event is returned at once, and is late if a newer one was returned before. */
START_TEST(test_no_memory)
{
	static const uint64_t times_ns[] = { 50, 20, 60 };

	make_raw(1, true, 0);
	begin(0);
	for (uint32_t i = 0; i < 3; i++) {
		write_number(i % 2, times_ns[i], i);
		fail_alloc__begin(1);
		check_next(times_ns[i], i % 2);
		fail_alloc__end();
		ck_assert_uint_eq(*(const uint32_t *)made_reader.event.data, i);
		ck_assert_uint_eq(made_reader.event.size, 12);
		ck_assert_uint_eq(made_reader.event.record->time_ns, times_ns[i]);
		ck_assert(made_reader.event.late == (i == 1));
		ck_assert(!ordered__next(&ordered));
	}
	ck_assert_uint_eq(ordered.order.late, 1);
	end();
}
END_TEST

START_TEST(test_no_memory_to_open)
{
	make_channel(0);
	for (unsigned nth = 1; nth; nth++) {
		int err;

		memset(&ordered, 0, sizeof(ordered));
		fail_alloc__begin(nth);
		err = ordered__open(&ordered, &made_intake, 0);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
		ordered__close(&ordered);
	}
	ordered__close(&ordered);
	ck_assert_ptr_null(ordered.order.runs);
	ck_assert_ptr_null(ordered.returned.slots.slots);
	end();
}
END_TEST

/* ---- channels -------------------------------------------------------------------------------- */

static uint64_t number_of_event(void)
{
	return *(const uint64_t *)made_reader.event.data;
}

/* Events of all slots of all CPUs, by time; held events are in the ledger. */
START_TEST(test_slots_are_merged)
{
	make_channel(0);
	begin(0);
	ck_assert(!ordered.returned.has_records);
	write_frame(0, 0, 0, 2, 1000);
	write_frame(0, 1, 50, 1, 900);
	write_frame(1, 0, 70, 1, 950);
	made_slot(0)->seq = 2;
	made_slot(1)->seq = 51;
	made_slot(PEAT_SLOTS)->seq = 71;
	check_next(900, 0);
	ck_assert_uint_eq(number_of_event(), 50);
	ck_assert_uint_eq(made_accounts.of_cpus[0].held, 2);
	ck_assert_uint_eq(made_accounts.of_cpus[1].held, 1);
	check_next(950, 1);
	ck_assert_uint_eq(number_of_event(), 70);
	ck_assert_uint_eq(made_accounts.of_cpus[1].held, 0);
	check_next(1000, 0);
	check_next(1001, 0);
	ck_assert_uint_eq(made_accounts.of_cpus[0].held, 0);
	ck_assert(!ordered__next(&ordered));
	ck_assert_uint_eq(ordered.order.late, 0);
	end();
}
END_TEST

/* Only slots of the CPUs that are read delay events. */
START_TEST(test_other_cpus_delay_nothing)
{
	struct cpus cpus = { 0 };

	ck_assert_int_eq(cpus__add(&cpus, 1), 0);
	make_channel(0);
	made_inputs.drain.cpus = &cpus;
	begin(0);
	made_slot(3)->lock = 4;
	ck_assert(!ordered__next(&ordered));
	write_frame(1, 0, 0, 1, monotonic_ns());
	made_slot(PEAT_SLOTS)->seq = 1;
	ck_assert(ordered__next(&ordered));
	ck_assert(!ordered__next(&ordered));
	end();
	cpus__free(&cpus);
}
END_TEST

/* A program has a slot locked: its event is older than events that others have sent since. */
START_TEST(test_slot_in_use)
{
	uint64_t now_ns;

	make_channel(0);
	begin(0);
	made_slot(3)->lock = 4;
	ck_assert(!ordered__next(&ordered));
	now_ns = monotonic_ns();
	write_frame(1, 0, 0, 1, now_ns);
	made_slot(PEAT_SLOTS)->seq = 1;
	ck_assert(!ordered__next(&ordered));
	ck_assert_uint_eq(made_accounts.of_cpus[1].held, 1);
	made_slot(3)->lock = 0;
	made_slot(3)->discarded++;
	check_next(now_ns, 1);
	ck_assert(!ordered__next(&ordered));
	end();
}
END_TEST

/* A drain after 600 more events, up to `limit`; returns whether it asked for another one at once.
 */
static bool drain_much(uint64_t *held, uint64_t limit)
{
	struct inputs *inputs = &made_inputs;

	inputs->collect_soon = inputs->is_urgent = false;
	for (uint32_t i = 0; *held < limit && i < 3; i++, *held += 200)
		write_frame(1, 0, *held, 200, monotonic_ns());
	made_slot(PEAT_SLOTS)->seq = *held;
	ck_assert(!ordered__next(&ordered));
	ck_assert(inputs->collect_soon ==
		  (ordered.order.buffered_bytes > ordered.order.limit_bytes / 4));
	ck_assert(inputs->collect_soon || *held < limit);
	return inputs->is_urgent;
}

/* A slot in use holds much up: other slots are collected at once, until that did not help 16 times.
 */
START_TEST(test_collecting_does_not_help)
{
	uint64_t held = 0;

	make_channel(0);
	begin(0);
	made_slot(3)->lock = 4;
	for (uint32_t stalls = 0; stalls < 20; stalls++)
		ck_assert(drain_much(&held, 3000) == (made_inputs.collect_soon && stalls < 16));
	made_slot(3)->lock = 0;
	made_slot(3)->discarded++;
	for (uint64_t i = 0; i < held; i++)
		ck_assert(ordered__next(&ordered));
	ck_assert(!ordered__next(&ordered));
	made_slot(3)->lock = 4; /* after progress, the 16 times begin again */
	for (uint32_t drains = 0; drains < 15; drains++)
		ck_assert(drain_much(&held, 6000) == made_inputs.collect_soon);
	end();
}
END_TEST

/* Events that arrive while others are returned wait for the next round, or it might never end. */
START_TEST(test_round_ends)
{
	uint64_t until_ns;

	made_ring_bytes = 64 * 1024;
	make_channel(0);
	begin(0);
	made_slot(3)->lock = 4;
	for (uint32_t i = 0; i < 10; i++)
		write_frame(1, 0, i * 200, 200, monotonic_ns());
	made_slot(PEAT_SLOTS)->seq = 2000;
	ck_assert(!ordered__next(&ordered));
	made_slot(3)->lock = 0;
	made_slot(3)->discarded++;
	ck_assert(ordered__next(&ordered));
	until_ns = ordered.order.until_ns;
	write_frame(1, 0, 2000, 1, monotonic_ns());
	made_slot(PEAT_SLOTS)->seq = 2001;
	for (uint32_t i = 1; i < 2000; i++) {
		ck_assert(ordered__next(&ordered));
		ck_assert_uint_eq(number_of_event(), i);
		ck_assert_uint_eq(ordered.order.until_ns, until_ns);
	}
	ck_assert(!ordered__next(&ordered));
	ck_assert(ordered__next(&ordered));
	ck_assert_uint_eq(number_of_event(), 2000);
	end();
}
END_TEST

/* Beside a collector, a slot's lock is visible within 100 us: younger events are not released. */
START_TEST(test_young_events_beside_a_collector)
{
	make_channel(0);
	made_inputs.stage.collector = (struct collector *)made_stage; /* not called */
	begin(0);
	ck_assert(!ordered__next(&ordered));
	ck_assert_uint_le(ordered.order.until_ns, monotonic_ns() - 100000);
	ck_assert_uint_gt(ordered.order.until_ns, 0);
	ck_assert_uint_eq(ordered.returned.slots.timeout_ns, 3000000000); /* of a slot in use */
	end();
}
END_TEST

/* A CPU's records and the events of its slots are sorted streams, each of its own. */
START_TEST(test_records_beside_slots)
{
	make_channel(PEAT_SIDE_BAND_TASK);
	begin(0);
	ck_assert(ordered.returned.has_records);
	write_frame(0, 0, 0, 2, 1000);
	write_exit(0, 900);
	write_frame(0, PEAT_SLOTS - 1, 0, 1, 800);
	made_slot(0)->seq = 2;
	made_slot(PEAT_SLOTS - 1)->seq = 1;
	check_next(800, 0);
	check_next(900, 0);
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_RECORD);
	ck_assert_uint_eq(made_reader.event.record->type, PEAT_RECORD_EXIT);
	check_next(1000, 0);
	ck_assert_uint_eq(ordered.order.run_count, ordered.order.streams);
	check_next(1001, 0);
	ck_assert(!ordered__next(&ordered));
	end();
}
END_TEST

/* LOST events are returned in order, and are not held events of the ledger. */
START_TEST(test_lost_events_in_order)
{
	make_channel(0);
	begin(0);
	write_frame(0, 0, 0, 1, 1000);
	write_frame(0, 0, 5, 1, 2000);
	made_slot(0)->seq = 6;
	check_next(1000, 0);
	ck_assert_uint_eq(made_accounts.of_cpus[0].held, 1);
	check_next(2000, 0);
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(made_reader.event.lost, 4);
	check_next(2000, 0);
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_DATA);
	ck_assert(!ordered__next(&ordered));
	end();
}
END_TEST

/* ---- sampled stacks ------------------------------------------------------------------------- */

#define STACKED_ID 7

static struct ring_id made_ids[2] = { { .id = 6, .index = 0 }, { .id = STACKED_ID, .index = 1 } };

/* Frames with the first id are plain; those with the second have one event, with its record. */
static void make_stacked_channel(void)
{
	static const struct peat_stack_request no_stacks;

	make_channel(0);
	perf_events__init(&made_inputs.rings.events, 2, false, 0);
	perf_events__add_stacks(&made_inputs.rings.events, &no_stacks, 1);
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++) {
		made_rings[cpu].ids = made_ids;
		made_rings[cpu].id_count = 2;
	}
}

static void write_frame_of(uint64_t id, uint32_t cpu, uint64_t seq, uint16_t count,
			   uint64_t time_ns)
{
	uint32_t room[1024];
	size_t bytes = make_frame(room, 0, seq, count, time_ns);
	struct bytes b;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u64(&b, id);
	put_u32(&b, (uint32_t)bytes);
	put_data(&b, room, bytes);
	write_record(cpu, &b);
}

/*
 * The rings are read again while many events are returned, until the middle of a frame.  The next
 * returned event is decoded again, of another CPU and with stacks: the frame is read on as before.
 */
START_TEST(test_decoded_again_within_a_frame)
{
	const uint64_t stacked = 3000, plain = 2600;
	uint64_t seen[MADE_CPUS] = { 0 }, now_ns;

	made_ring_bytes = 512 * 1024;
	make_stacked_channel();
	begin(0);
	now_ns = monotonic_ns();
	for (uint64_t i = 0; i < stacked; i++)
		write_frame_of(STACKED_ID, 0, i, 1, now_ns + i);
	made_slot(0)->seq = stacked;
	while (seen[0] < stacked || seen[1] < plain) {
		const struct peat_event *event = &made_reader.event;

		if (!ordered__next(&ordered))
			continue;
		ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
		ck_assert_uint_eq(number_of_event(), seen[event->cpu]);
		ck_assert(!event->record == (event->cpu == 1));
		ck_assert(!event->late);
		if (!seen[event->cpu]++ && !event->cpu)
			for (uint64_t i = 0; i < plain; i += 200)
				write_frame_of(made_ids[0].id, 1, i, 200, now_ns + stacked + i);
		made_slot(PEAT_SLOTS)->seq = plain;
	}
	ck_assert(!ordered__next(&ordered));
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++) {
		ck_assert_int_eq(made_accounts.streams[cpu * PEAT_SLOTS].missing, 0);
		ck_assert_uint_eq(made_accounts.of_cpus[cpu].held, 0);
		made_rings[cpu].ids = NULL;
	}
	ck_assert_uint_eq(made_reader.stats.corrupt, 0);
	end();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_raw_rings_are_merged);
	tcase_add_test(tests, test_held_until_flush);
	tcase_add_test(tests, test_flush_in_a_round);
	tcase_add_test(tests, test_in_flight);
	tcase_add_test(tests, test_limits_follow_ring_size);
	tcase_add_test(tests, test_many_events_in_order);
	tcase_add_test(tests, test_fetches_between);
	tcase_add_test(tests, test_much_is_held);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_no_memory_to_open);
	tcase_add_test(tests, test_slots_are_merged);
	tcase_add_test(tests, test_other_cpus_delay_nothing);
	tcase_add_test(tests, test_slot_in_use);
	tcase_add_test(tests, test_collecting_does_not_help);
	tcase_add_test(tests, test_round_ends);
	tcase_add_test(tests, test_young_events_beside_a_collector);
	tcase_add_test(tests, test_records_beside_slots);
	tcase_add_test(tests, test_lost_events_in_order);
	tcase_add_test(tests, test_decoded_again_within_a_frame);
}
