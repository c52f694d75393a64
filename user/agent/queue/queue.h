/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * queue/queue.h: the batches that wait for an output.
 *
 *	pipelines ──▶ queue__put() ──▶ waiting ──▶ queue__next() ──▶ under way ──▶ queue__settle()
 *
 * Batches that are under way count for the limit, too: it is the memory of everything that the
 * output has not acknowledged.  Any thread puts; one thread, the output's, takes and settles.
 */
#ifndef PEAT_QUEUE_QUEUE_H
#define PEAT_QUEUE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "queue/flow.h"

enum queue_policy {
	QUEUE_BLOCK,	   /* the pipeline waits, its rings overflow */
	QUEUE_DROP_OLDEST, /* of those that are not under way */
	QUEUE_DROP_NEWEST
};

struct queue;

struct queue_counts {
	uint64_t bytes, most_bytes; /* now; the limit */
	uint64_t batches;	    /* that wait, or are under way */
	uint64_t blocked_ns;	    /* time that pipelines have waited for room */
};

/* The caller has one reference.  NULL: no memory, or no file descriptor; errno is set. */
struct queue *queue__new(uint64_t most_bytes, enum queue_policy policy);

/* For another thread that puts.  Returns the queue. */
struct queue *queue__ref(struct queue *queue);

/* The last one frees it: the batches that are left count as dropped.  Accepts NULL. */
void queue__unref(struct queue *queue);

/* From now on. */
void queue__set_limit(struct queue *queue, uint64_t most_bytes, enum queue_policy policy);

/* The policy's name: "block"; false: there is none of this name. */
bool queue__parse_policy(const char *name, enum queue_policy *policy);

/*
 * Offers a batch, and takes a reference if it is kept.  A batch that is larger than the queue is
 * kept while the queue is empty.  `flow` has to live as long as the queue.
 *
 * With QUEUE_BLOCK it waits for room, until queue__stop_waiting(), or until the time *until_ns
 * (monotonic_ns(), which may change meanwhile), and then drops the batch.
 */
void queue__put(struct queue *queue, struct flow *flow, struct peat_batch *batch,
		const atomic_uint_fast64_t *until_ns);

/* From now on nothing waits for room: what finds none is dropped.  It is the end of the output. */
void queue__stop_waiting(struct queue *queue);

/* Drops everything. */
void queue__clear(struct queue *queue);

/* The oldest batch that is not under way, lent; it is under way from now on.  NULL: none. */
struct peat_batch *queue__next(struct queue *queue);

/* The output did not take the batch that queue__next() returned last: it is the next one again. */
void queue__put_back(struct queue *queue, struct peat_batch *batch);

/* Batches under way are the next ones again, in their order. */
void queue__put_all_back(struct queue *queue);

/* The batch is not under way any longer, and may be freed.  False: no such batch is. */
bool queue__settle(struct queue *queue, const struct peat_batch *batch, uint64_t refused);

/*
 * The origin of a batch that is under way: with the numbers that it keeps, or the next ones of its
 * flow.  `keep`: it keeps these from now on.  Returns its flow; NULL: no such batch is.
 */
struct flow *queue__origin(struct queue *queue, const struct peat_batch *batch, uint64_t run,
			   bool keep, struct peat_origin *origin);

/* The batch that is under way has left the queue for a spool, which counts it, or is dropped. */
void queue__hand_over(struct queue *queue, const struct peat_batch *batch);
void queue__drop(struct queue *queue, const struct peat_batch *batch);

/* An eventfd, which is readable when a batch was put. */
int queue__fd(const struct queue *queue);

void queue__read_counts(struct queue *queue, struct queue_counts *counts);

#endif /* PEAT_QUEUE_QUEUE_H */
