/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * block_queue.h: blocks of bytes from one thread to another that works on them, at its own pace.
 *
 * Who fills blocks never waits: when those on their way take all the memory that they may, there is
 * none.
 */
#ifndef BLOCK_QUEUE_H
#define BLOCK_QUEUE_H

#include "base/strbuf.h"

struct block {
	struct block *next;
	struct out bytes;
	bool ends_round; /* a mark of the caller's */
	uint64_t done;	 /* how far the work has come: `work` may set it */
	size_t taken;	 /* the queue's: memory that it takes */
};

struct block_queue;

/*
 * Begins a thread that calls `work` for each block, in order; what it returns first that is not 0,
 * a negative errno, ends its work, and blocks that come after it are dropped.  Blocks that wait,
 * and those that are kept for later, take `limit` bytes (at least 1) or less, but for the last one
 * that was put; one that was taken has to be put.  NULL and errno.
 */
struct block_queue *block_queue__new(uint64_t limit, int (*work)(void *arg, struct block *block),
				     void *arg);

/* An empty block; NULL: as much waits as may, or there is no memory. */
struct block *block_queue__take(struct block_queue *queue);

/* Gives a block that was taken to the thread.  Never blocks for longer than a list takes. */
void block_queue__put(struct block_queue *queue, struct block *block);

/* What the work ended with so far, 0 or a negative errno, and how far it came. */
int block_queue__error(struct block_queue *queue, uint64_t *done);

/* Waits until all is done that was put, and ends the thread.  What the work ended with. */
int block_queue__finish(struct block_queue *queue);

void block_queue__free(struct block_queue *queue); /* finishes; takes NULL */

#endif /* BLOCK_QUEUE_H */
