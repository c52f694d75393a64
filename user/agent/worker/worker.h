/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * worker/worker.h: an output with its queue, in a thread of its own.
 *
 * One thread, the agent's, calls these functions, unless a comment says otherwise.
 */
#ifndef PEAT_WORKER_WORKER_H
#define PEAT_WORKER_WORKER_H

#include "config/config.h"
#include "queue/queue.h"
#include "spool/spool.h"

struct worker;

/* Functions of the agent for outputs, as in peat_output_opts, and for their counts. */
struct worker_asks {
	int (*collect)(void *arg, struct peat_batch *points);
	bool (*healthy)(void *arg, char *why, size_t room);
	/* The flow from a source to an output; `makes` it if it is missing.  NULL: none, or no
	 * memory. */
	struct flow *(*flow)(void *arg, const char *source, const char *output, bool makes);
	void (*settled)(void *arg); /* a batch has ended, or is in the spool */
	void *arg;
	uint64_t run; /* of the agent: its start, ns since 1970 */
};

struct worker_counts {
	struct queue_counts queue;
	struct spool_counts spool; /* zeroes: none */
	int spool_err;		   /* of the last attempt to write: -EAGAIN: it is full */
	uint64_t batches_settled, batches_refused;
	char why[160];	 /* the last refusal; "": none */
	bool is_failing; /* the last batch was refused, or the output takes none for seconds */
};

/* Opens the output, and starts its thread.  `config` outlives the worker.  NULL and errno. */
struct worker *worker__new(const struct config_output *config, const struct worker_asks *asks);

struct queue *worker__queue(struct worker *worker);
const struct config_output *worker__config(const struct worker *worker);

/*
 * Closes the output after it has sent what waits, or after drain_ms, and opens it anew; batches
 * wait meanwhile.  0, or a negative errno: the output is as before.  -EINVAL, logged: another
 * spool.
 */
int worker__reopen(struct worker *worker, const struct config_output *config, uint64_t drain_ms);

/* The same output by the settings of a newer configuration, which are equal. */
void worker__keep(struct worker *worker, const struct config_output *config);

/* Sends waiting batches for at most drain_ms, spools or drops the rest, and ends the thread. */
void worker__stop(struct worker *worker, uint64_t drain_ms);

/* Any thread, while the worker lives. */
void worker__read_counts(struct worker *worker, struct worker_counts *counts);
bool worker__is_healthy(struct worker *worker, char *why, size_t room);

void worker__free(struct worker *worker); /* stops it without delay; accepts NULL */

#endif /* PEAT_WORKER_WORKER_H */
