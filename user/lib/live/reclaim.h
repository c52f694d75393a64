/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/reclaim.h: slots that no program releases, and frames that never arrive. */
#ifndef PEAT_LIVE_RECLAIM_H
#define PEAT_LIVE_RECLAIM_H

#include "live/inputs.h"

/*
 * Reclaims the slots of programs that ended without releasing them, as min_checks calls found.  Not
 * for raw mode.  `always`: waits for the programs that run even if no slot is stuck.
 */
void reclaim__stuck_slots(struct inputs *inputs, uint32_t min_checks, bool always);

#endif /* PEAT_LIVE_RECLAIM_H */
