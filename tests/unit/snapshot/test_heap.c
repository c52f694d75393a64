// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_heap.c: streams leave the heap by time, and by number if times are equal. */
#include "snapshot/heap.h"
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
	struct heap heap;

	ck_assert_int_eq(heap__init(&heap, STREAMS), 0);
	for (uint32_t stream = STREAMS; stream--;)
		heap__put(&heap, time_of(stream, 0), stream);
	for (; heap.count; count++) {
		struct heap_entry first = heap.entries[0];

		ck_assert_uint_eq(first.time_ns, time_of(first.stream, events[first.stream]));
		ck_assert_uint_ge(first.time_ns, last_ns);
		ck_assert(!count || first.time_ns > last_ns || first.stream >= last_stream ||
			  events[first.stream]);
		last_ns = first.time_ns;
		last_stream = first.stream;
		if (++events[first.stream] < EVENTS)
			heap__renew(&heap, time_of(first.stream, events[first.stream]));
		else
			heap__remove(&heap);
	}
	ck_assert_uint_eq(count, STREAMS * EVENTS);
	heap__free(&heap);
}
END_TEST

START_TEST(test_empty)
{
	struct heap heap;

	ck_assert_int_eq(heap__init(&heap, 0), 0);
	ck_assert_uint_eq(heap.count, 0);
	heap__free(&heap);
	heap__free(&heap);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_merges_streams);
	tcase_add_test(tests, test_empty);
}
