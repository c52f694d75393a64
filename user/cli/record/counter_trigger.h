/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COUNTER_TRIGGER_H
#define CLI_COUNTER_TRIGGER_H

#include <peat/peat.h>

#include "cli/run/run.h"

/*
 * counter_trigger.h: --on EVENT>N: a flight recorder dumps after more than N of a perf event, over
 * all CPUs and tasks of the recording together.
 *
 * The kernel counts on each CPU and in each task apart, so no overflow of it says when the sum
 * passes N.  Overflows of a part of N make peat read the sum at once in a burst of events.  Events
 * that are spread over many tasks overflow late or never: peat also reads the sum each
 * COUNTER_TRIGGER_MS.
 */
struct counter_trigger {
	struct peat_counters *counters; /* NULL: none */
	uint64_t over;			/* N */
	uint64_t rest;			/* see peat_counters__exceeded() */
};

#define COUNTER_TRIGGER_MS 100

/* Begins to count the tasks of the run.  0 or an exit status; errors have been printed. */
int counter_trigger__open(struct counter_trigger *trigger, const struct run *run);
void counter_trigger__close(struct counter_trigger *trigger); /* accepts zeroes */

/* Readable when the sum is to be read; -1: no counters. */
int counter_trigger__fd(const struct counter_trigger *trigger);

/*
 * How often the count has exceeded N since the last call that did not return 0, or since
 * counter_trigger__restart().
 */
uint64_t counter_trigger__count(struct counter_trigger *trigger);

/* Counts from 0 again. */
void counter_trigger__restart(struct counter_trigger *trigger);

#endif /* CLI_COUNTER_TRIGGER_H */
