/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TRIGGER_H
#define CLI_TRIGGER_H

#include <peat/peat.h>

#include "cli/options/options.h"
#include "cli/record/counter_trigger.h"

/*
 * trigger.h: --on SOURCE: events that make a flight recorder dump, read by a session of their own.
 * --on EVENT>N: see counter_trigger.h.
 */
struct trigger {
	struct counter_trigger counter;
	struct peat_session *session; /* NULL: no --on SOURCE */
	struct peat_reader *reader;
	struct peat_where *where; /* NULL: all events of the source */
	uint32_t side_band;
};

/*
 * open: finds the source of --on.  start: attaches it; each event that its --where selects wakes
 * peat.  Counters are opened by start, when the run has its command.  0 or an exit status; errors
 * have been printed.
 */
int trigger__open(struct trigger *trigger, const struct options *options);
int trigger__start(struct trigger *trigger, const struct run *run);
void trigger__close(struct trigger *trigger); /* accepts zeroes */

/* Readable when there may be events; -1: no --on. */
int trigger__fd(const struct trigger *trigger);

/*
 * Reads all events of a round, which is limited.  Returns their number, or how often N was exceeded
 * since the last call.
 */
uint64_t trigger__count(struct trigger *trigger);

/* A dump begins: counters begin again. */
void trigger__restart(struct trigger *trigger);

#endif /* CLI_TRIGGER_H */
