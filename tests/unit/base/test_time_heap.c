// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_time_heap.c: streams leave the heap by time, and by number if times are equal. */
#include "base/time_heap.h"
#include "unit/suite.h"

#define STREAMS 37u
#define EVENTS	50u

/* Times of a stream grow, by steps of 0 to 12. */
static uint64_t time_of(uint32_t stream, uint32_t event)
{
	uint64_t time_ns = stream % 5;

	for (uint32_t i = 1; i <= event; i++)
		time_ns += (stream * 7 + i * 11) % 13;
	return time_ns;
}

START_TEST(test_merges_streams)
{
	uint32_t events[STREAMS] = { 0 }, last_stream = 0;
	uint64_t last_ns = 0, count = 0;
	struct time_entry entries[STREAMS];
	struct time_heap heap = { entries, 0 };

	for (uint32_t stream = STREAMS; stream--;)
		time_heap__put(&heap, (struct time_entry){ time_of(stream, 0), stream, stream });
	for (; heap.count; count++) {
		struct time_entry first = entries[0];
		uint32_t stream = first.index;

		ck_assert_uint_eq(first.time_ns, time_of(stream, events[stream]));
		ck_assert_uint_ge(first.time_ns, last_ns);
		ck_assert(!count || first.time_ns > last_ns || stream >= last_stream ||
			  events[stream]);
		last_ns = first.time_ns;
		last_stream = stream;
		first.time_ns = time_of(stream, ++events[stream]);
		if (events[stream] < EVENTS)
			time_heap__renew(&heap, first);
		else
			time_heap__remove(&heap);
	}
	ck_assert_uint_eq(count, STREAMS * EVENTS);
}
END_TEST

START_TEST(test_orders_entries)
{
	struct time_entry entries[STREAMS];
	struct time_heap heap = { entries, STREAMS };

	for (uint32_t i = 0; i < STREAMS; i++)
		entries[i] = (struct time_entry){ i * 23 % STREAMS, 0, i };
	time_heap__order(&heap);
	for (uint32_t i = 0; i < STREAMS; i++, time_heap__remove(&heap))
		ck_assert_uint_eq(entries[0].time_ns, i);
	ck_assert_uint_eq(heap.count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_merges_streams);
	tcase_add_test(tests, test_orders_entries);
}
