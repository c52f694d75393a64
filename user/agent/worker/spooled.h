/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * worker/spooled.h: moves batches from the queue of an output to its spool, and reads them there.
 *
 * The thread of the output calls these functions, but for spooled__read_counts().
 */
#ifndef PEAT_WORKER_SPOOLED_H
#define PEAT_WORKER_SPOOLED_H

#include "spool/spool.h"
#include "worker/worker.h"

struct spooled;

/* Opens the spool of an output that has one.  NULL and errno, with the reason in the log. */
struct spooled *spooled__open(const struct config_output *config, const struct worker_asks *asks);

/* Sets the limits of newer settings, with the same directory. */
void spooled__set_limits(struct spooled *spooled, const struct config_output *config);

/*
 * Moves all batches of the queue, but not before it is time to try again after an error; `at_once`:
 * also then.  0, or the reason why batches are left: -EAGAIN: the spool is full.
 */
int spooled__move(struct spooled *spooled, struct queue *queue, bool at_once);

/* The spool is empty and cannot be written: batches of the queue go to the output. */
bool spooled__is_bypassed(struct spooled *spooled);

/* The origin of a batch that the output got.  False: there is no such batch. */
bool spooled__origin(struct spooled *spooled, struct queue *queue, const struct peat_batch *batch,
		     struct peat_origin *origin);

struct spool *spooled__spool(struct spooled *spooled);

/* Any thread.  Returns the error of the last attempt to write. */
int spooled__read_counts(struct spooled *spooled, struct spool_counts *counts);

void spooled__close(struct spooled *spooled); /* accepts NULL */

#endif /* PEAT_WORKER_SPOOLED_H */
