/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/program_counts.h: the events that programs count (channel/cells.h), for a reader's table. */
#ifndef PEAT_LIVE_PROGRAM_COUNTS_H
#define PEAT_LIVE_PROGRAM_COUNTS_H

#include "live/source.h"

/* Makes the channel's table read what programs count, from now on. */
void program_counts__begin(struct live_source *live);

/*
 * Collects at times if keys find no place in the tables of programs, whose events are transported:
 * empty tables have a place.  0 or a negative errno.
 */
int program_counts__rehouse(struct live_source *live);

/* Collects for the last time. */
void program_counts__end(struct live_source *live);

#endif /* PEAT_LIVE_PROGRAM_COUNTS_H */
