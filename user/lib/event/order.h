/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/order.h: buffers the events of many streams and returns them in the order of time.
 *
 * Each stream is nearly sorted.  So events are buffered in sorted runs: one per stream, and more
 * for the streams that go backwards.  A heap of the runs' first events yields the next event.
 */
#ifndef PEAT_EVENT_ORDER_H
#define PEAT_EVENT_ORDER_H

#include <peat/reader.h>

#include "base/time_heap.h"

struct order_run;
struct order_chunk;

struct order {
	struct order_run *runs; /* one per stream, then the additional ones */
	uint32_t run_count, run_room, streams;
	struct time_heap heads; /* the first events of runs; of equal times, by arrival */

	struct order_chunk *spare;
	uint32_t spare_count;

	uint64_t buffered_bytes, limit_bytes;
	uint64_t arrivals;
	uint64_t until_ns;   /* events up to this time may be returned */
	uint64_t last_ns;    /* the newest time of all returned events */
	uint64_t late;	     /* events that arrived after newer ones had been returned */
	uint64_t hurried;    /* events returned early because the limit was exceeded */
	bool first_returned; /* the first event was returned: the next call removes it */
};

/*
 * For streams 0 to streams - 1.  0 or -ENOMEM; order__free() accepts the result of either, and
 * zeroes.
 */
int order__init(struct order *order, uint32_t streams, uint64_t limit_bytes);
void order__free(struct order *order);

/*
 * Buffers a copy of the event with its `data` and its `comm` (up to 32 bytes).  `record` is opaque:
 * only the pointer is copied.  An event without a time can be returned immediately.
 *
 * 0
 * -ENOMEM: no memory, or too many runs because time goes backwards again and again; see
 *          order__bypass()
 */
int order__put(struct order *order, uint32_t stream, const struct peat_event *event);

/*
 * Allows events up to this time to be returned; an earlier time than before has no effect.
 * UINT64_MAX: all events, until the buffer is empty.
 */
void order__release_until(struct order *order, uint64_t until_ns);

/* Once the buffer is empty: the events that follow have other times. */
void order__restart(struct order *order);

/*
 * Returns the next event that is released, or any if more than the limit is buffered; false: none.
 * Its pointers are valid until the next call.
 */
bool order__next(struct order *order, struct peat_event *event);

/* Whether order__next() would return an event. */
bool order__is_ready(struct order *order);

/* Counts and marks an event that is returned without being buffered: memory is short. */
void order__bypass(struct order *order, struct peat_event *event);

#endif /* PEAT_EVENT_ORDER_H */
