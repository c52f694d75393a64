/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/block_queue.h: passes blocks of bytes to a worker thread.
 *
 * The thread that fills blocks need not wait: if queued blocks use all memory of the queue, there
 * is no further block.
 */
#ifndef PEAT_RECORDER_BLOCK_QUEUE_H
#define PEAT_RECORDER_BLOCK_QUEUE_H

#include "base/strbuf.h"

struct block {
	struct block *next;
	struct strbuf bytes;
	bool ends_round;	  /* set by the caller, for `work` */
	uint64_t done;		  /* progress: may be set by `work` */
	uint64_t events, records; /* in the block; set by the caller, for `work` */
	size_t memory;		  /* bytes that the block uses; set by the queue */
};

struct block_queue;

/*
 * Starts a thread that calls `work` for each block, in order.  After the first negative errno that
 * `work` returns, the remaining blocks are discarded.  Queued and spare blocks use at most `limit`
 * bytes (at least 1); only the last queued block may exceed it.  NULL and errno on failure.
 */
struct block_queue *block_queue__new(uint64_t limit, int (*work)(void *arg, struct block *block),
				     void *arg);

/* An empty block, which must be queued with block_queue__put().  NULL: `limit` or memory reached.
 */
struct block *block_queue__get(struct block_queue *queue);

/* As block_queue__get(), but waits until the limit is not reached.  NULL: no memory. */
struct block *block_queue__wait(struct block_queue *queue);

/*
 * Queues a block for the thread, which begins at once if it is urgent, else when some blocks are
 * queued.  Waits only while the other thread changes the list.
 */
void block_queue__put(struct block_queue *queue, struct block *block, bool is_urgent);

/* The first error of `work` so far, 0 or a negative errno.  Raises *done to the greatest
 * block.done. */
int block_queue__error(struct block_queue *queue, uint64_t *done);

/* Waits until all queued blocks are done and ends the thread.  Returns the first error of `work`.
 */
int block_queue__finish(struct block_queue *queue);

void block_queue__free(struct block_queue *queue); /* finishes it first; NULL is allowed */

#endif /* PEAT_RECORDER_BLOCK_QUEUE_H */
