/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TABLE_TIMELINE_H
#define CLI_TABLE_TIMELINE_H

#include "cli/table/tally.h"

/* table_timeline.h: the tables of peat count and hist as counters for Perfetto: -o FILE.pftrace. */

/* Whether the options fit together, and then the key.  0 or an exit status. */
int table_timeline__check(const struct options *options);
int table_timeline__check_key(const struct options *options);

/* Makes the sink of an open output, if there is one.  `reader`: its clock.  0 or a negative errno.
 */
int table_timeline__open(struct tally *tally, const struct output *output,
			 struct peat_reader *reader);

/* Writes the rows of the last interval. */
int table_timeline__add(struct tally *tally);

/* Completes the file, and prints the number of its counters. */
int table_timeline__finish(struct tally *tally, const struct output *output);

#endif /* CLI_TABLE_TIMELINE_H */
