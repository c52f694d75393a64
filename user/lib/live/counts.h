/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/counts.h: the events that programs count themselves (channel/cells.h), for the reader's
 * table. */
#ifndef PEAT_LIVE_COUNTS_H
#define PEAT_LIVE_COUNTS_H

#include "live/source.h"

/* Makes the channel's table read what programs count, from now on. */
void counts__begin(struct live_source *live);

/*
 * Collects at times if keys find no place in the tables of programs, whose events are transported:
 * empty tables have a place.  0 or a negative errno.
 */
int counts__rehouse(struct live_source *live);

/* Collects for the last time. */
void counts__end(struct live_source *live);

#endif /* PEAT_LIVE_COUNTS_H */
