/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * order.h: events of many streams, held back and handed out by their time.
 *
 * Each stream comes nearly sorted, so what is held are runs: rows of events that are sorted
 * already, one for each stream, and more where a stream went backwards.  The earliest of their
 * first ones is next.
 */
#ifndef ORDER_H
#define ORDER_H

#include <peat/reader.h>

struct order_run;
struct order_chunk;

/* The first event of a run. */
struct order_head {
	uint64_t time_ns;
	uint64_t arrival; /* among events of one time the first that came is next */
	uint32_t run;
};

struct order {
	struct order_run *runs; /* one a stream, and behind them those of no stream */
	uint32_t run_count, run_room, streams;
	struct order_head *heads; /* a binary heap */
	uint32_t head_count;

	struct order_chunk *spare;
	uint32_t spare_count;

	uint64_t held_bytes, limit_bytes;
	uint64_t arrivals;
	uint64_t until_ns; /* what is older may go */
	uint64_t last_ns;  /* of all that went, the newest */
	uint64_t late;	   /* events that came when younger ones had gone */
	uint64_t hurried;  /* that went as more than the limit was held */
	bool is_lent;	   /* the first of all, which is next no more */
};

/* For streams 0 to streams - 1.  0 or -ENOMEM; order__free() takes any, and one of zeroes. */
int order__init(struct order *order, uint32_t streams, uint64_t limit_bytes);
void order__free(struct order *order);

/*
 * Holds a copy of the event, its `data` and its `comm`, which has up to 32 bytes; `record` is a
 * mark that comes back as it is.  An event without a time goes at once.  -ENOMEM, also when time
 * goes backwards again and again: see order__pass().
 */
int order__put(struct order *order, uint32_t stream, const struct peat_event *event);

/* All that is not younger may go; time does not go back.  UINT64_MAX: everything, once. */
void order__settle(struct order *order, uint64_t until_ns);

/*
 * The next that may go, or has to as more than the limit is held; false: there is none.  What it
 * points to is lent until the next call.
 */
bool order__next(struct order *order, struct peat_event *event);

/* Whether order__next() has one. */
bool order__is_ready(struct order *order);

/* Marks an event that goes past those that are held: there is no memory to hold it. */
void order__pass(struct order *order, struct peat_event *event);

#endif /* ORDER_H */
