// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* block_queue.c: a list, a lock and a thread. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "recorder/block_queue.h"
#include "base/internal.h"

struct block_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t came;
	int (*work)(void *arg, struct block *block);
	void *arg;

	/* Under the lock. */
	struct block *first, *last; /* to be worked on */
	struct block *spare;
	uint64_t waiting, kept; /* bytes, of those that wait or are worked on, and of spare ones */
	uint64_t done;
	int err;
	bool ends;

	uint64_t limit; /* of bytes */
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

static void free_block(struct block *block)
{
	out__free(&block->bytes);
	free(block);
}

/* Kept for later, if there is memory for it. */
static void give_back(struct block_queue *queue, struct block *block, int err)
{
	bool keeps;

	out__cut(&block->bytes, 0);
	block->bytes.failed = false;
	block->ends_round = false;
	pthread_mutex_lock(&queue->lock);
	if (block->done > queue->done)
		queue->done = block->done;
	if (!queue->err)
		queue->err = err;
	queue->waiting -= block->taken;
	keeps = queue->waiting + queue->kept + block->taken <= queue->limit;
	if (keeps) {
		queue->kept += block->taken;
		block->next = queue->spare;
		queue->spare = block;
	}
	pthread_mutex_unlock(&queue->lock);
	if (!keeps)
		free_block(block);
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

struct block_queue *block_queue__new(uint64_t limit, int (*work)(void *arg, struct block *block),
				     void *arg)
{
	struct block_queue *queue = calloc(1, sizeof(*queue));
	int err;

	if (!queue)
		return fail_null(-ENOMEM);
	*queue = (struct block_queue){ .work = work, .arg = arg, .limit = limit };
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->came, NULL);
	err = start(queue);
	if (!err)
		return queue;
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->came);
	free(queue);
	return fail_null(err);
}

struct block *block_queue__take(struct block_queue *queue)
{
	struct block *block = NULL;
	bool may;

	pthread_mutex_lock(&queue->lock);
	may = queue->waiting < queue->limit;
	if (may && queue->spare) {
		block = queue->spare;
		queue->spare = block->next;
		queue->kept -= block->taken;
	}
	pthread_mutex_unlock(&queue->lock);
	return block || !may ? block : calloc(1, sizeof(*block));
}

/* Blocks that are put with little in them would else take the memory of full ones. */
static void shrink(struct out *bytes)
{
	char *less =
		bytes->count < bytes->room / 2 ? realloc(bytes->bytes, bytes->count + 1) : NULL;

	if (!less)
		return;
	bytes->bytes = less;
	bytes->room = bytes->count + 1;
}

void block_queue__put(struct block_queue *queue, struct block *block)
{
	shrink(&block->bytes);
	block->taken = sizeof(*block) + block->bytes.room;
	block->next = NULL;
	pthread_mutex_lock(&queue->lock);
	queue->waiting += block->taken;
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

static void free_list(struct block *block)
{
	struct block *next;

	for (; block; block = next) {
		next = block->next;
		free_block(block);
	}
}

/* What was put behind the end is still there. */
void block_queue__free(struct block_queue *queue)
{
	if (!queue)
		return;
	block_queue__finish(queue);
	free_list(queue->first);
	free_list(queue->spare);
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->came);
	free(queue);
}
