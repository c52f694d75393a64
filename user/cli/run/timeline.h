/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TIMELINE_H
#define CLI_TIMELINE_H

#include <peat/peat.h>

#include "cli/run/run.h"

/* timeline.h: timelines for Perfetto: for peat trace, record, replay and convert. */

/* Records of recordings that are part of a timeline. */
#define TIMELINE_SIDE_BAND PEAT_SIDE_BAND_SWITCH

/* Operations of a live run. */
extern const struct run_ops timeline__ops;

/* Sets options of live sources: events are ordered by time. */
void timeline__prepare(struct options *options);

/* Makes the sink; `symbols` may be NULL.  0 or a negative errno; -EINVAL: the output is a terminal,
 * which is printed. */
int timeline__open_sink(struct output *output, struct peat_reader *reader,
			struct peat_symbols *symbols);

/* Completes the file, and prints the number of its events unless `quiet`. */
void timeline__finish(struct output *output, bool quiet);

#endif /* CLI_TIMELINE_H */
