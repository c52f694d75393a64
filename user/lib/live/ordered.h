/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_ORDERED_H
#define PEAT_LIVE_ORDERED_H

#include "live/intake.h"
#include "event/order.h"
#include "live/returned_time.h"

/* Orders an intake's events by time: buffers each until no older one can follow. */
struct ordered {
	struct intake *in;
	struct order order;
	struct returned_time returned;
	uint32_t returned_since_fetch, fetched;
	uint32_t stalls; /* updates in a row that released no more events */
	bool is_done;	 /* the drain is done: only released events are still returned */
	bool is_full;	 /* fetch nothing before those have been returned */
	bool is_last;	 /* the next drain is the one after ordered__flush() */
};

/* For an open intake whose events are no older than now.  0 or -ENOMEM. */
int ordered__open(struct ordered *ordered, struct intake *in, uint32_t latency_ms);

/* Accepts the result of any ordered__open(), and zeroes. */
void ordered__close(struct ordered *ordered);

/* As intake__next(): stores the next released event in in->reader->event. */
bool ordered__next(struct ordered *ordered);

/* Whether released events have not been returned yet. */
bool ordered__is_ready(struct ordered *ordered);

/* Whether events are buffered. */
bool ordered__holds_events(const struct ordered *ordered);

/* Makes the next drain the last: all buffered events are released when it is done. */
void ordered__flush(struct ordered *ordered);

#endif /* PEAT_LIVE_ORDERED_H */
