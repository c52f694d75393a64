/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_ROW_GROUPS_H
#define CLI_STAT_ROW_GROUPS_H

#include "cli/stat/stat_rows.h"

/* row_groups.h: adds up the rows of CPUs by core or socket, and of threads by thread.  Pure. */

/*
 * Rows have the parts of events, with their places.  Rows of an event become one if they have the
 * same core, socket or thread.  The order is that of perf stat: the events of each core or socket,
 * and the threads of each event, by falling counts.  Rows of events that nothing has counted are
 * kept, after those of cores and sockets.  Rows by event or CPU stay as they are.
 */
void row_groups__merge(struct stat_rows *rows, enum stat_by by);

#endif /* CLI_STAT_ROW_GROUPS_H */
