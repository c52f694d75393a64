// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/block_queue.c: a queue of blocks and its worker thread. */
#include <pthread.h>
#include <stdlib.h>

#include "base/errors.h"
#include "recorder/block_queue.h"
#include "sys/quiet_thread.h"

#define WAKE_BYTES ((uint64_t)768 << 10)

struct block_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_cond_t done_some; /* signalled when a block is done */
	int (*work)(void *arg, struct block *block);
	void *arg;

	/* Under the lock. */
	struct block *first, *last; /* queued */
	struct block *spare;
	uint64_t queued_bytes; /* memory of queued blocks and the one in work */
	uint64_t spare_bytes;  /* memory of spare blocks */
	uint64_t done;
	int err;
	bool is_ending;

	/* Used by the owner only. */
	uint64_t limit;	   /* most bytes of all blocks */
	bool has_finished; /* the thread has been joined */
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Waits for a block.  NULL: the queue is empty and ending. */
static struct block *next_block(struct block_queue *queue)
{
	struct block *block;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->is_ending)
		pthread_cond_wait(&queue->changed, &queue->lock);
	block = queue->first;
	if (block)
		queue->first = block->next;
	pthread_mutex_unlock(&queue->lock);
	return block;
}

static void free_block(struct block *block)
{
	strbuf__free(&block->bytes);
	free(block);
}

/* Accounts a block that is done and keeps it as a spare if the limit allows. */
static void finish_block(struct block_queue *queue, struct block *block, int err)
{
	bool keep;

	strbuf__cut(&block->bytes, 0);
	block->bytes.failed = false;
	block->ends_round = false;
	pthread_mutex_lock(&queue->lock);
	if (block->done > queue->done)
		queue->done = block->done;
	if (!queue->err)
		queue->err = err;
	queue->queued_bytes -= block->memory;
	pthread_cond_signal(&queue->done_some);
	keep = queue->queued_bytes + queue->spare_bytes + block->memory <= queue->limit;
	if (keep) {
		queue->spare_bytes += block->memory;
		block->next = queue->spare;
		queue->spare = block;
	}
	pthread_mutex_unlock(&queue->lock);
	if (!keep)
		free_block(block);
}

static void *run_worker(void *arg)
{
	struct block_queue *queue = arg;
	struct block *block;
	int err = 0;

	while ((block = next_block(queue))) {
		if (!err)
			err = queue->work(queue->arg, block);
		finish_block(queue, block, err);
	}
	return NULL;
}

/* ---- the owner ------------------------------------------------------------------------------- */

struct block_queue *block_queue__new(uint64_t limit, int (*work)(void *arg, struct block *block),
				     void *arg)
{
	struct block_queue *queue = calloc(1, sizeof(*queue));
	int err;

	if (!queue)
		return fail_null(-ENOMEM);
	*queue = (struct block_queue){ .work = work, .arg = arg, .limit = limit };
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	pthread_cond_init(&queue->done_some, NULL);
	err = quiet_thread__start(&queue->thread, run_worker, queue);
	if (!err)
		return queue;
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->changed);
	pthread_cond_destroy(&queue->done_some);
	free(queue);
	return fail_null(err);
}

struct block *block_queue__wait(struct block_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->queued_bytes >= queue->limit)
		pthread_cond_wait(&queue->done_some, &queue->lock);
	pthread_mutex_unlock(&queue->lock);
	return block_queue__get(queue);
}

struct block *block_queue__get(struct block_queue *queue)
{
	struct block *block = NULL;
	bool has_room;

	pthread_mutex_lock(&queue->lock);
	has_room = queue->queued_bytes < queue->limit;
	if (has_room && queue->spare) {
		block = queue->spare;
		queue->spare = block->next;
		queue->spare_bytes -= block->memory;
	}
	pthread_mutex_unlock(&queue->lock);
	return block || !has_room ? block : calloc(1, sizeof(*block));
}

static bool has_little_room(struct block_queue *queue)
{
	bool little;

	pthread_mutex_lock(&queue->lock);
	little = queue->queued_bytes > queue->limit / 2;
	pthread_mutex_unlock(&queue->lock);
	return little;
}

/*
 * A block that is less than half full would keep the memory of a full one.  It does if there is
 * enough: to shrink memory and let it grow again costs more than to fill it.
 */
static void shrink_block(struct block_queue *queue, struct strbuf *bytes)
{
	char *less;

	if (bytes->count >= bytes->room / 2 || !has_little_room(queue))
		return;
	less = realloc(bytes->bytes, bytes->count + 1);
	if (!less)
		return;
	bytes->bytes = less;
	bytes->room = bytes->count + 1;
}

/* Waking the thread for each block costs more than to write some blocks less early. */
static bool should_wake(const struct block_queue *queue)
{
	return queue->queued_bytes >= WAKE_BYTES || queue->queued_bytes >= queue->limit / 4;
}

void block_queue__put(struct block_queue *queue, struct block *block, bool is_urgent)
{
	bool wakes;

	shrink_block(queue, &block->bytes);
	block->memory = sizeof(*block) + block->bytes.room;
	block->next = NULL;
	pthread_mutex_lock(&queue->lock);
	queue->queued_bytes += block->memory;
	if (queue->first)
		queue->last->next = block;
	else
		queue->first = block;
	queue->last = block;
	wakes = is_urgent || should_wake(queue);
	pthread_mutex_unlock(&queue->lock);
	if (wakes) /* without the lock, which the thread takes at once */
		pthread_cond_signal(&queue->changed);
}

int block_queue__error(struct block_queue *queue, uint64_t *done)
{
	int err;

	pthread_mutex_lock(&queue->lock);
	err = queue->err;
	if (queue->done > *done)
		*done = queue->done;
	pthread_mutex_unlock(&queue->lock);
	return err;
}

int block_queue__finish(struct block_queue *queue)
{
	if (!queue->has_finished) {
		pthread_mutex_lock(&queue->lock);
		queue->is_ending = true;
		pthread_cond_signal(&queue->changed);
		pthread_mutex_unlock(&queue->lock);
		pthread_join(queue->thread, NULL);
		queue->has_finished = true;
	}
	return queue->err;
}

static void free_list(struct block *block)
{
	struct block *next;

	for (; block; block = next) {
		next = block->next;
		free_block(block);
	}
}

/* Blocks queued after block_queue__finish() are still in the list. */
void block_queue__free(struct block_queue *queue)
{
	if (!queue)
		return;
	block_queue__finish(queue);
	free_list(queue->first);
	free_list(queue->spare);
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->changed);
	pthread_cond_destroy(&queue->done_some);
	free(queue);
}
