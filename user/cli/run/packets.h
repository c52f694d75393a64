/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_PACKETS_H
#define CLI_PACKETS_H

#include <peat/peat.h>

#include "cli/options/options.h"
#include "cli/base/output.h"

/* packets.h: packets as pcapng: for peat trace, replay and convert. */

/*
 * Sets options of live sources for pcapng: events are ordered by time, and sources with an option
 * `snap` copy as many bytes of each packet as they can, unless the user has set it.  0 or an exit
 * status.
 */
int packets__prepare(struct options *options);

/* Makes the sink.  0 or a negative errno; -EINVAL: the output is a terminal, which is printed. */
int packets__open_sink(struct output *output, struct peat_reader *reader);

/* Whether one of the reader's types has packets; if none, that is printed. */
bool packets__exist(struct peat_reader *reader);

/* Completes the file, and prints the number of its packets unless `quiet`. */
void packets__finish(struct output *output, bool quiet);

#endif /* CLI_PACKETS_H */
