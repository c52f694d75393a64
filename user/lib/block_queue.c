// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* block_queue.c: a list, a lock and a thread. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "block_queue.h"
#include "internal.h"

struct block_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t came;
	int (*work)(void *arg, struct block *block);
	void *arg;

	/* Under the lock. */
	struct block *first, *last; /* to be worked on */
	struct block *spare;
	uint32_t blocks, limit; /* there are, wherever; there may be */
	uint64_t done;
	int err;
	bool ends;

	bool has_ended; /* the thread, seen by its owner */
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* NULL: there will be none. */
static struct block *wait_for_block(struct block_queue *queue)
{
	struct block *block;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->ends)
		pthread_cond_wait(&queue->came, &queue->lock);
	block = queue->first;
	if (block)
		queue->first = block->next;
	pthread_mutex_unlock(&queue->lock);
	return block;
}

static void give_back(struct block_queue *queue, struct block *block, int err)
{
	out__cut(&block->bytes, 0);
	block->bytes.failed = false;
	block->ends_round = false;
	pthread_mutex_lock(&queue->lock);
	block->next = queue->spare;
	queue->spare = block;
	if (block->done > queue->done)
		queue->done = block->done;
	if (!queue->err)
		queue->err = err;
	pthread_mutex_unlock(&queue->lock);
}

static void *run(void *arg)
{
	struct block_queue *queue = arg;
	struct block *block;
	int err = 0;

	while ((block = wait_for_block(queue))) {
		if (!err)
			err = queue->work(queue->arg, block);
		give_back(queue, block, err);
	}
	return NULL;
}

/* ---- its owner ------------------------------------------------------------------------------- */

/* Signals are for the threads of the program. */
static int start(struct block_queue *queue)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&queue->thread, NULL, run, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

struct block_queue *block_queue__new(uint32_t blocks, int (*work)(void *arg, struct block *block),
				     void *arg)
{
	struct block_queue *queue = calloc(1, sizeof(*queue));
	int err;

	if (!queue)
		return fail_null(-ENOMEM);
	*queue = (struct block_queue){ .work = work, .arg = arg, .limit = blocks };
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->came, NULL);
	err = start(queue);
	if (!err)
		return queue;
	free(queue);
	return fail_null(err);
}

struct block *block_queue__take(struct block_queue *queue)
{
	struct block *block;
	bool may_add;

	pthread_mutex_lock(&queue->lock);
	block = queue->spare;
	if (block)
		queue->spare = block->next;
	may_add = !block && queue->blocks < queue->limit;
	queue->blocks += may_add;
	pthread_mutex_unlock(&queue->lock);
	if (!may_add)
		return block;
	block = calloc(1, sizeof(*block));
	if (block)
		return block;
	pthread_mutex_lock(&queue->lock);
	queue->blocks--;
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

void block_queue__put(struct block_queue *queue, struct block *block)
{
	block->next = NULL;
	pthread_mutex_lock(&queue->lock);
	if (queue->first)
		queue->last->next = block;
	else
		queue->first = block;
	queue->last = block;
	pthread_cond_signal(&queue->came);
	pthread_mutex_unlock(&queue->lock);
}

int block_queue__error(struct block_queue *queue, uint64_t *done)
{
	int err;

	pthread_mutex_lock(&queue->lock);
	err = queue->err;
	*done = queue->done;
	pthread_mutex_unlock(&queue->lock);
	return err;
}

int block_queue__finish(struct block_queue *queue)
{
	if (!queue->has_ended) {
		pthread_mutex_lock(&queue->lock);
		queue->ends = true;
		pthread_cond_signal(&queue->came);
		pthread_mutex_unlock(&queue->lock);
		pthread_join(queue->thread, NULL);
		queue->has_ended = true;
	}
	return queue->err;
}

void block_queue__free(struct block_queue *queue)
{
	struct block *next;

	if (!queue)
		return;
	block_queue__finish(queue);
	for (struct block *block = queue->spare; block; block = next) {
		next = block->next;
		out__free(&block->bytes);
		free(block);
	}
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->came);
	free(queue);
}
