/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef MERGE_H
#define MERGE_H

#include "live/intake.h"
#include "event/order.h"
#include "live/safe_time.h"

/* What an intake gives, by time: each event is held until nothing older can come. */
struct merge {
	struct intake *in;
	struct order order;
	struct tide tide;      /* of a channel's events */
	bool has_records;      /* events that rings alone tell of: the kernel's own, or raw ones */
	uint64_t in_flight_ns; /* they may become visible so long after their time */
	uint32_t held_since_look; /* events */
	uint32_t gone_since_fetch, fetched;
	uint32_t stalls; /* looks in a row after which no more could go */
	bool is_done;	 /* the round is; what may go goes, and then it is over */
	bool is_full;	 /* and nothing more is fetched before that */
	bool is_last;	 /* the next round is the one after merge__flush() */
};

/* Of an intake that is open; the events are no older than now. 0 or -ENOMEM. */
int merge__open(struct merge *merge, struct intake *in, uint32_t latency_ms);

/* Takes any, and one of zeroes. */
void merge__close(struct merge *merge);

/* As intake__next(): the next event that may go becomes in->event. */
bool merge__next(struct merge *merge);

/* Whether events may go that have not. */
bool merge__is_ready(struct merge *merge);

/* The round that begins next is the last, and nothing is held when it is done. */
void merge__flush(struct merge *merge);

#endif /* MERGE_H */
