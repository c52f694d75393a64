/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/returned_time.h: the time before which a live reader has returned all its events, those of
 * slots and those of rings.
 */
#ifndef PEAT_LIVE_RETURNED_TIME_H
#define PEAT_LIVE_RETURNED_TIME_H

#include "live/intake.h"
#include "live/safe_time.h"

struct returned_time {
	const struct inputs *inputs;
	struct safe_time slots; /* of a channel's events */
	bool has_records;	/* some events are in rings only: the kernel's own, or raw ones */
	uint64_t in_flight_ns;	/* their maximum delay from timestamp to visibility */
};

/*
 * `begin_ns`: all older events have been returned; 0: unknown.  0 or -ENOMEM;
 * returned_time__close() accepts the result of either, and zeroes.
 */
int returned_time__open(struct returned_time *returned, const struct intake *in,
			uint64_t in_flight_ns, uint64_t begin_ns);
void returned_time__close(struct returned_time *returned);

/*
 * The time as of the end of the last drain.  Call it at the end of a drain, once: two calls are
 * needed after an event until its time has passed.
 */
uint64_t returned_time__find(struct returned_time *returned);

#endif /* PEAT_LIVE_RETURNED_TIME_H */
