/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/reclaim.h: slots that no program releases, and frames that never arrive.  Both show after a
 * grace period: slots that are stuck then are reclaimed, and no frame is waited for.
 */
#ifndef PEAT_LIVE_RECLAIM_H
#define PEAT_LIVE_RECLAIM_H

#include "live/inputs.h"

/*
 * At each tick: begins a grace period if a slot has been stuck for min_checks ticks, and ends it at
 * the first tick that finds it over.  Does not wait for it.
 */
void reclaim__tick(struct inputs *inputs, uint32_t min_checks);

/*
 * Begins a grace period in any case, for slots that are stuck for min_checks calls, this one
 * included.  The one before has to be over.
 */
void reclaim__begin(struct inputs *inputs, uint32_t min_checks);

/*
 * Waits for the grace period, for timeout_ms milliseconds at most.  0: it is over, and slots were
 * reclaimed; or none was begun.  -EAGAIN: it is not over.  Another negative errno, which is logged:
 * it will not be over.
 */
int reclaim__poll(struct inputs *inputs, int timeout_ms);

#endif /* PEAT_LIVE_RECLAIM_H */
