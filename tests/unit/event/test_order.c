// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_order.c: events go by their time, all of them, and those that cannot are marked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "event/order.h"
#include "unit/suite.h"

#define STREAMS	   7
#define EVENTS	   20000
#define NO_LIMIT   UINT64_MAX
#define DATA_BYTES 40

static struct order order;
static uint64_t state = 88172645463325252ull;

static uint32_t pick(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % below;
}

/* Event `number` says so in its data, as long as its number makes it. */
static void put(uint32_t stream, uint64_t time_ns, uint64_t number)
{
	uint64_t data[DATA_BYTES / 8];
	struct peat_event event = {
		.kind = PEAT_EVENT_DATA,
		.cpu = stream,
		.time_ns = time_ns,
		.pid = (uint32_t)number,
		.tid = (uint32_t)~number,
		.type = 3,
		.size = 8 + (uint32_t)(number % (DATA_BYTES - 8)),
		.data = data,
		.comm = number % 3 ? "somebody" : NULL,
	};

	memset(data, (int)number, sizeof(data));
	data[0] = number;
	ck_assert_int_eq(order__put(&order, stream, &event), 0);
}

static void check(const struct peat_event *event)
{
	const unsigned char *data = event->data;
	uint64_t number;

	memcpy(&number, data, sizeof(number));
	ck_assert_uint_eq((uintptr_t)data % 8, 0);
	ck_assert_uint_eq(event->pid, (uint32_t)number);
	ck_assert_uint_eq(event->tid, (uint32_t)~number);
	ck_assert_uint_eq(event->size, 8 + number % (DATA_BYTES - 8));
	for (uint32_t i = 8; i < event->size; i++)
		ck_assert_uint_eq(data[i], (unsigned char)number);
	if (number % 3)
		ck_assert_str_eq(event->comm, "somebody");
	else
		ck_assert_ptr_null(event->comm);
}

static unsigned char seen[EVENTS];
static uint64_t last_ns, handed, late;

static void begin(uint64_t limit_bytes)
{
	ck_assert_int_eq(order__init(&order, STREAMS, limit_bytes), 0);
	memset(seen, 0, sizeof(seen));
	last_ns = handed = late = 0;
}

static void end(void)
{
	ck_assert_uint_eq(order.late, late);
	ck_assert_uint_eq(order.buffered_bytes, 0);
	order__free(&order);
}

/* Takes what may go: in order but for what is marked, and that has to be. */
static void take(void)
{
	struct peat_event event;
	uint64_t number;

	while (order__next(&order, &event)) {
		check(&event);
		memcpy(&number, event.data, sizeof(number));
		ck_assert_uint_eq(seen[number]++, 0);
		ck_assert_int_eq(event.late, event.time_ns < last_ns);
		late += event.late;
		if (event.time_ns > last_ns)
			last_ns = event.time_ns;
		handed++;
	}
}

/* Streams that are sorted each, and arrive in pieces of any length, some long after others. */
static void feed(uint32_t disorder, bool releases)
{
	uint64_t times[STREAMS] = { 0 }, least;

	for (uint64_t number = 0; number < EVENTS;) {
		uint32_t stream = pick(STREAMS);

		for (uint32_t i = pick(100); i && number < EVENTS; i--) {
			uint64_t back = disorder ? pick(disorder) : 0;

			times[stream] += pick(20);
			put(stream, 1000 + times[stream] - back, number++);
		}
		least = UINT64_MAX;
		for (int i = 0; i < STREAMS; i++)
			least = times[i] < least ? times[i] : least;
		if (releases) {
			order__release_until(&order, 1000 + least - disorder);
			take();
		}
	}
}

static void finish(void)
{
	order__release_until(&order, UINT64_MAX);
	take();
	ck_assert_uint_eq(handed, EVENTS);
}

START_TEST(test_sorted_streams)
{
	begin(NO_LIMIT);
	feed(0, true);
	ck_assert_uint_gt(handed, EVENTS / 2);
	finish();
	ck_assert_uint_eq(late, 0);
	end();
}
END_TEST

/* A stream that goes backwards, but not before the released time. */
START_TEST(test_streams_with_disorder)
{
	begin(NO_LIMIT);
	feed(500, true);
	finish();
	ck_assert_uint_eq(late, 0);
	end();
}
END_TEST

START_TEST(test_nothing_is_returned_unreleased)
{
	begin(NO_LIMIT);
	feed(100, false);
	take();
	ck_assert_uint_eq(handed, 0);
	finish();
	ck_assert_uint_eq(late, 0);
	end();
}
END_TEST

/* Beyond the limit the oldest go, and no more than it takes. */
START_TEST(test_limit_releases_oldest)
{
	uint64_t hurried;

	begin(1000);
	for (uint64_t number = 0; number < 1000; number++) {
		put((uint32_t)(number % STREAMS), 1 + number, number);
		take();
		ck_assert_uint_le(order.buffered_bytes, 1000);
		ck_assert(number < 100 || order.buffered_bytes > 800);
	}
	ck_assert_uint_eq(last_ns, handed); /* they were numbered so */
	ck_assert_uint_eq(late, 0);
	ck_assert_uint_gt(handed, 800);
	ck_assert_uint_eq(order.hurried, handed);
	hurried = handed;
	put(0, 1, 1000); /* long gone */
	put(1, 2000, 1001);
	order__release_until(&order, UINT64_MAX);
	take();
	ck_assert_uint_eq(handed, 1002);
	ck_assert_uint_eq(late, 1);
	ck_assert_uint_eq(order.hurried, hurried);
	end();
}
END_TEST

START_TEST(test_limit_under_disorder)
{
	begin(4096);
	for (uint64_t number = 0; number < EVENTS; number++) {
		put(pick(STREAMS), 100000 + number * 10 - pick(5000), number);
		take();
	}
	finish();
	ck_assert_uint_gt(late, 0);
	end();
}
END_TEST

/* What comes behind younger ones is not held, and does not set the order back. */
START_TEST(test_late_events_are_not_held)
{
	struct peat_event event;

	begin(NO_LIMIT);
	put(0, 100, 0);
	put(0, 200, 1);
	order__release_until(&order, 150);
	take();
	ck_assert_uint_eq(handed, 1);
	put(1, 50, 2);
	put(1, 100, 3); /* as old as what went last: that is in order */
	put(2, 150, 4);
	ck_assert(order__next(&order, &event));
	ck_assert_uint_eq(event.time_ns, 50);
	ck_assert(event.late);
	ck_assert(order__next(&order, &event));
	ck_assert_uint_eq(event.time_ns, 100);
	ck_assert(!event.late);
	last_ns = 100;
	late = 1;
	take();
	ck_assert_uint_eq(last_ns, 150);
	order__release_until(&order, 120); /* does not go back */
	put(3, 140, 5);
	take();
	ck_assert_uint_eq(late, 2);
	order__release_until(&order, 200);
	take();
	ck_assert_uint_eq(last_ns, 200);
	end();
}
END_TEST

/* Events of one time go as they came, also of one stream that went back in between. */
START_TEST(test_same_time)
{
	static const uint64_t times[] = { 10, 5, 10, 5, 10, 7, 10 };
	static const uint64_t expected[] = { 1, 3, 5, 0, 2, 4, 6 };
	struct peat_event event;

	begin(NO_LIMIT);
	for (uint64_t i = 0; i < 7; i++)
		put(2, times[i], i);
	order__release_until(&order, 10);
	for (int i = 0; i < 7; i++) {
		ck_assert(order__next(&order, &event));
		ck_assert_uint_eq(event.pid, expected[i]);
	}
	ck_assert(!order__next(&order, &event));
	end();
}
END_TEST

/* Events after everything went are held again. */
START_TEST(test_everything_once)
{
	begin(NO_LIMIT);
	put(0, 100, 0);
	order__release_until(&order, UINT64_MAX);
	take();
	ck_assert_uint_eq(handed, 1);
	put(0, 200, 1);
	take();
	ck_assert_uint_eq(handed, 1);
	ck_assert(!order__is_ready(&order));
	order__release_until(&order, 200);
	ck_assert(order__is_ready(&order));
	take();
	ck_assert_uint_eq(handed, 2);
	end();
}
END_TEST

/* Losses, events without data or time, and one that is longer than a piece of memory. */
START_TEST(test_kinds_of_events)
{
	static unsigned char large[65528];
	struct peat_record record = { .type = 9 };
	struct peat_event lost = { .kind = PEAT_EVENT_LOST, .cpu = 1, .time_ns = 5, .lost = 12 };
	struct peat_event empty = { .kind = PEAT_EVENT_DATA, .time_ns = 6, .data = "" };
	struct peat_event timeless = { .kind = PEAT_EVENT_RECORD, .record = &record };
	struct peat_event long_one = {
		.kind = PEAT_EVENT_DATA, .time_ns = 7, .data = large, .size = sizeof(large)
	};
	struct peat_event event;

	begin(NO_LIMIT);
	memset(large, 0xa5, sizeof(large));
	ck_assert_int_eq(order__put(&order, 0, &long_one), 0);
	ck_assert_int_eq(order__put(&order, 1, &lost), 0);
	ck_assert_int_eq(order__put(&order, 2, &empty), 0);
	ck_assert_int_eq(order__put(&order, 3, &timeless), 0);
	ck_assert(order__next(&order, &event));
	ck_assert_ptr_eq(event.record, &record);
	ck_assert(!event.late);
	ck_assert(!order__next(&order, &event));
	order__release_until(&order, 10);
	ck_assert(order__next(&order, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event.lost, 12);
	ck_assert_uint_eq(event.cpu, 1);
	ck_assert_ptr_null(event.schema);
	ck_assert(order__next(&order, &event));
	ck_assert_ptr_nonnull(event.data);
	ck_assert_uint_eq(event.size, 0);
	ck_assert(order__next(&order, &event));
	ck_assert_uint_eq(event.size, sizeof(large));
	ck_assert_mem_eq(event.data, large, sizeof(large));
	ck_assert_int_eq(order__put(&order, 3, &timeless), 0);
	ck_assert(order__next(&order, &event));
	ck_assert(!event.late);
	ck_assert(!order__next(&order, &event));
	end();
}
END_TEST

/* An event is lent until the next call, whatever else comes and goes. */
START_TEST(test_freed_with_events_in_it)
{
	struct peat_event event;

	begin(NO_LIMIT);
	for (uint64_t i = 0; i < 5000; i++)
		put((uint32_t)i % STREAMS, 1 + i, i);
	order__release_until(&order, 300);
	ck_assert(order__next(&order, &event));
	order__free(&order);
}
END_TEST

/* Time that only goes back, as in a ring that was overwritten: all of it is sorted. */
START_TEST(test_overwritten_rings_are_sorted)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA };

	begin(NO_LIMIT);
	for (uint64_t time_ns = 200000; time_ns; time_ns--) {
		event.time_ns = time_ns;
		ck_assert_int_eq(order__put(&order, (uint32_t)(time_ns % STREAMS), &event), 0);
	}
	order__release_until(&order, UINT64_MAX);
	for (uint64_t time_ns = 1; time_ns <= 200000; time_ns++) {
		ck_assert(order__next(&order, &event));
		ck_assert(event.time_ns == time_ns && !event.late);
	}
	order__free(&order);
}
END_TEST

/* But no more than memory allows, and what has no room is refused at once. */
START_TEST(test_memory_bounds_backward_times)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA };
	uint64_t held = 0, last = 0;

	begin(128 * 1500);
	for (uint64_t time_ns = 1000000; time_ns; time_ns--) {
		int err;

		event.time_ns = time_ns;
		err = order__put(&order, (uint32_t)(time_ns % STREAMS), &event);
		ck_assert(err == 0 || err == -ENOMEM);
		ck_assert(!err || held > 1000); /* not too early */
		ck_assert(err || held == 1000000 - time_ns);
		held += !err;
	}
	ck_assert_uint_lt(held, 2000);
	order__release_until(&order, UINT64_MAX);
	for (uint64_t i = 0; i < held; i++) {
		ck_assert(order__next(&order, &event));
		ck_assert(event.time_ns > last && !event.late);
		last = event.time_ns;
	}
	ck_assert_uint_eq(last, 1000000);
	ck_assert(!order__next(&order, &event));
	event.time_ns = 1000001; /* there is room again */
	ck_assert_int_eq(order__put(&order, 0, &event), 0);
	order__free(&order);
}
END_TEST

/* What is refused goes past those that are held, and is late if it is older than what went. */
START_TEST(test_bypassing_events_may_be_late)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .time_ns = 70 }, timeless = { 0 };

	begin(NO_LIMIT);
	put(0, 100, 0);
	order__bypass(&order, &event);
	ck_assert(!event.late);
	event.time_ns = 69;
	order__bypass(&order, &event);
	ck_assert(event.late);
	order__bypass(&order, &timeless);
	ck_assert(!timeless.late);
	late = 1;
	last_ns = 70;
	order__release_until(&order, UINT64_MAX);
	take();
	ck_assert_uint_eq(handed, 1);
	end();
}
END_TEST

#define MANY 257

/* Many streams, each with disorder of its own: all come sorted, those of one time as they came. */
START_TEST(test_many_streams)
{
	static uint64_t times[MANY];
	struct peat_event event = { .kind = PEAT_EVENT_DATA };
	uint64_t last = 0, last_number = 0;

	ck_assert_int_eq(order__init(&order, MANY, NO_LIMIT), 0);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t stream = pick(MANY);

		times[stream] += pick(20);
		event.time_ns = 1000 + times[stream] - pick(900);
		event.pid = i;
		ck_assert_int_eq(order__put(&order, stream, &event), 0);
	}
	ck_assert_uint_lt(order.run_count, 3 * MANY);
	order__release_until(&order, UINT64_MAX);
	for (uint32_t i = 0; i < EVENTS; i++) {
		ck_assert(order__next(&order, &event));
		ck_assert(event.time_ns > last ||
			  (event.time_ns == last && event.pid > last_number));
		ck_assert(!event.late);
		last = event.time_ns;
		last_number = event.pid;
	}
	ck_assert(!order__next(&order, &event));
	order__free(&order);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_sorted_streams);
	tcase_add_test(tests, test_streams_with_disorder);
	tcase_add_test(tests, test_nothing_is_returned_unreleased);
	tcase_add_test(tests, test_limit_releases_oldest);
	tcase_add_test(tests, test_limit_under_disorder);
	tcase_add_test(tests, test_late_events_are_not_held);
	tcase_add_test(tests, test_same_time);
	tcase_add_test(tests, test_everything_once);
	tcase_add_test(tests, test_kinds_of_events);
	tcase_add_test(tests, test_overwritten_rings_are_sorted);
	tcase_add_test(tests, test_memory_bounds_backward_times);
	tcase_add_test(tests, test_bypassing_events_may_be_late);
	tcase_add_test(tests, test_many_streams);
	tcase_add_test(tests, test_freed_with_events_in_it);
}
