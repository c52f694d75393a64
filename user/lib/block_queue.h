/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * block_queue.h: blocks of bytes from one thread to another that works on them, at its own pace.
 *
 * Who fills blocks never waits: when all that there may be are on their way, there is none.
 */
#ifndef BLOCK_QUEUE_H
#define BLOCK_QUEUE_H

#include "out.h"

struct block {
	struct block *next;
	struct out bytes;
	bool ends_round; /* a mark of the caller's */
	uint64_t done;	 /* how far the work has come: `work` may set it */
};

struct block_queue;

/*
 * Begins a thread that calls `work` for each block, in order; what it returns first that is not 0,
 * a negative errno, ends its work, and blocks that come after it are dropped.  At most `blocks`
 * blocks are there at a time; one that was taken has to be put.  NULL and errno.
 */
struct block_queue *block_queue__new(uint32_t blocks, int (*work)(void *arg, struct block *block),
				     void *arg);

/* An empty block; NULL: none is free, or there is no memory. */
struct block *block_queue__take(struct block_queue *queue);

/* Gives a block that was taken to the thread.  Never blocks for longer than a list takes. */
void block_queue__put(struct block_queue *queue, struct block *block);

/* What the work ended with so far, 0 or a negative errno, and how far it came. */
int block_queue__error(struct block_queue *queue, uint64_t *done);

/* Waits until all is done that was put, and ends the thread.  What the work ended with. */
int block_queue__finish(struct block_queue *queue);

void block_queue__free(struct block_queue *queue); /* finishes; takes NULL */

#endif /* BLOCK_QUEUE_H */
