// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_block_queue.c: blocks for a worker thread: in order, bounded, errors. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "recorder/block_queue.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define BLOCKS 5000

/* Seen by the thread; read it after the thread has ended, or under the lock. */
struct seen {
	uint32_t numbers[BLOCKS];
	uint32_t count, marks;
	uint64_t bytes;
	uint32_t fails_at; /* number of the failing block; 0: none */

	/* Work that waits for permission. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t may; /* blocks that may be worked on */
};

static struct seen *new_seen(uint32_t may)
{
	struct seen *seen = calloc(1, sizeof(*seen));

	ck_assert_ptr_nonnull(seen);
	seen->may = may;
	pthread_mutex_init(&seen->lock, NULL);
	pthread_cond_init(&seen->changed, NULL);
	return seen;
}

static void let_work(struct seen *seen, uint32_t may)
{
	pthread_mutex_lock(&seen->lock);
	seen->may = may;
	pthread_cond_broadcast(&seen->changed);
	pthread_mutex_unlock(&seen->lock);
}

static int work(void *arg, struct block *block)
{
	struct seen *seen = arg;
	uint32_t number;

	pthread_mutex_lock(&seen->lock);
	while (seen->count >= seen->may)
		pthread_cond_wait(&seen->changed, &seen->lock);
	memcpy(&number, block->bytes.bytes, sizeof(number));
	seen->numbers[seen->count++] = number;
	seen->marks += block->ends_round;
	seen->bytes += block->bytes.count;
	pthread_cond_broadcast(&seen->changed);
	pthread_mutex_unlock(&seen->lock);
	block->done = seen->bytes;
	return seen->fails_at && seen->count == seen->fails_at ? -ENOSPC : 0;
}

static void wait_for(struct seen *seen, uint32_t count)
{
	pthread_mutex_lock(&seen->lock);
	while (seen->count < count)
		pthread_cond_wait(&seen->changed, &seen->lock);
	pthread_mutex_unlock(&seen->lock);
}

/* False: there is no block. */
static bool put_block(struct block_queue *queue, uint32_t number, size_t bytes, bool is_urgent)
{
	struct block *block = block_queue__get(queue);

	if (!block)
		return false;
	ck_assert_uint_eq(block->bytes.count, 0);
	ck_assert(!block->ends_round);
	strbuf__bytes(&block->bytes, &number, sizeof(number));
	strbuf__fill(&block->bytes, 'x', bytes - sizeof(number));
	block->ends_round = number % 3 == 0;
	block_queue__put(queue, block, is_urgent);
	return true;
}

static bool put(struct block_queue *queue, uint32_t number, size_t bytes)
{
	return put_block(queue, number, bytes, true);
}

START_TEST(test_order_is_kept)
{
	struct seen *seen = new_seen(UINT32_MAX);
	struct block_queue *queue = block_queue__new(64 << 20, work, seen);
	uint64_t done = 0;

	for (uint32_t i = 0; i < BLOCKS; i++)
		ck_assert(put(queue, i, 8 + i % 1000));
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert_uint_eq(seen->count, BLOCKS);
	for (uint32_t i = 0; i < BLOCKS; i++)
		ck_assert_uint_eq(seen->numbers[i], i);
	ck_assert_uint_eq(seen->marks, (BLOCKS + 2) / 3);
	ck_assert_int_eq(block_queue__error(queue, &done), 0);
	ck_assert_uint_eq(done, seen->bytes);
	block_queue__free(queue);
	free(seen);
}
END_TEST

/* Small blocks do not use the memory of large ones. */
static uint32_t count_that_fit(uint64_t limit, size_t bytes)
{
	struct seen *seen = new_seen(0);
	struct block_queue *queue = block_queue__new(limit, work, seen);
	uint32_t count = 0;

	while (put(queue, count, bytes))
		count++;
	for (int i = 0; i < 10; i++)
		ck_assert(!put(queue, 0, bytes));
	let_work(seen, UINT32_MAX);
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert_uint_eq(seen->count, count);
	block_queue__free(queue);
	free(seen);
	return count;
}

/* Blocks that are not urgent wait for an urgent one, until they are many, or for the end. */
START_TEST(test_urgent_blocks_start_work)
{
	struct seen *seen = new_seen(UINT32_MAX);
	struct block_queue *queue = block_queue__new(64 << 20, work, seen);

	ck_assert(put_block(queue, 0, 100, false));
	ck_assert(put_block(queue, 1, 100, true));
	wait_for(seen, 2);
	for (uint32_t i = 2; i < 12; i++)
		ck_assert(put_block(queue, i, 100000, false));
	wait_for(seen, 3);
	ck_assert(put_block(queue, 12, 100, false));
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert_uint_eq(seen->count, 13);
	block_queue__free(queue);
	free(seen);
}
END_TEST

START_TEST(test_bytes_are_bounded)
{
	uint32_t large = count_that_fit(1 << 20, 100000), small = count_that_fit(1 << 20, 1000);

	ck_assert(large >= 8 && large <= 11);
	ck_assert(small >= 900 && small <= 1049);
	ck_assert_uint_eq(count_that_fit(1, 100000), 1);
}
END_TEST

/* A spare block that was large does not count as large if it is queued with few bytes. */
START_TEST(test_large_then_small)
{
	struct seen *seen = new_seen(10);
	struct block_queue *queue = block_queue__new(1 << 20, work, seen);
	uint32_t count = 10;

	for (uint32_t i = 0; i < 10; i++) {
		ck_assert(put(queue, i, 90000));
		wait_for(seen, i + 1);
	}
	while (count < BLOCKS && put(queue, count, 1000))
		count++;
	ck_assert_uint_ge(count, 500); /* not all are done yet */
	ck_assert_uint_lt(count, BLOCKS);
	let_work(seen, UINT32_MAX);
	block_queue__free(queue);
	ck_assert_uint_eq(seen->count, count);
	free(seen);
}
END_TEST

/* There is room again when a block is done. */
START_TEST(test_slow_worker)
{
	struct seen *seen = new_seen(0);
	struct block_queue *queue = block_queue__new(200000, work, seen);
	uint32_t number = 0;

	while (put(queue, number, 50000))
		number++;
	for (uint32_t done = 1; done < 100; done++) {
		let_work(seen, done);
		while (!put(queue, number, 50000))
			sched_yield();
		number++;
	}
	let_work(seen, UINT32_MAX);
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert_uint_eq(seen->count, number);
	for (uint32_t i = 0; i < number; i++)
		ck_assert_uint_eq(seen->numbers[i], i);
	block_queue__free(queue);
	free(seen);
}
END_TEST

static void *let_later(void *arg)
{
	let_work(arg, UINT32_MAX);
	return NULL;
}

/* A full queue: get has no block, and wait has one after some are done. */
START_TEST(test_waits_for_a_block)
{
	struct seen *seen = new_seen(0);
	struct block_queue *queue = block_queue__new(10000, work, seen);
	struct block *block;
	uint32_t blocks = 0;
	pthread_t thread;

	while (put(queue, blocks, 1000))
		blocks++;
	ck_assert_ptr_null(block_queue__get(queue));
	ck_assert_int_eq(pthread_create(&thread, NULL, let_later, seen), 0);
	block = block_queue__wait(queue);
	ck_assert_ptr_nonnull(block);
	strbuf__bytes(&block->bytes, &blocks, sizeof(blocks));
	block_queue__put(queue, block, true);
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert_uint_eq(seen->count, blocks + 1);
	pthread_join(thread, NULL);
	block_queue__free(queue);
	free(seen);
}
END_TEST

/* After an error, no block is worked on, but blocks can still be queued. */
START_TEST(test_error_stops_work)
{
	struct seen *seen = new_seen(UINT32_MAX);
	struct block_queue *queue;
	uint64_t done = 0;
	int err;

	seen->fails_at = 7;
	queue = block_queue__new(1 << 20, work, seen);
	ck_assert_int_eq(block_queue__error(queue, &done), 0);
	for (uint32_t i = 0; i < BLOCKS; i++)
		while (!put(queue, i, 1000))
			sched_yield();
	while (!(err = block_queue__error(queue, &done)))
		sched_yield();
	ck_assert_int_eq(err, -ENOSPC);
	ck_assert_uint_eq(done, 7000);
	ck_assert_int_eq(block_queue__finish(queue), -ENOSPC);
	ck_assert_int_eq(block_queue__finish(queue), -ENOSPC);
	ck_assert_uint_eq(seen->count, 7);
	ck_assert_uint_eq(seen->numbers[6], 6);
	block_queue__free(queue);
	free(seen);
}
END_TEST

/* Queued blocks are worked on first; blocks queued after the end are freed. */
START_TEST(test_freed_with_blocks)
{
	struct seen *seen = new_seen(0);
	struct block_queue *queue = block_queue__new(1 << 20, work, seen);

	for (uint32_t i = 0; i < 100; i++)
		ck_assert(put(queue, i, 1000));
	let_work(seen, UINT32_MAX);
	block_queue__free(queue);
	ck_assert_uint_eq(seen->count, 100);

	queue = block_queue__new(1 << 20, work, seen);
	ck_assert_int_eq(block_queue__finish(queue), 0);
	ck_assert(put(queue, 0, 1000));
	ck_assert(put(queue, 0, 1000));
	block_queue__free(queue);
	ck_assert_uint_eq(seen->count, 100);
	block_queue__free(NULL);
	free(seen);
}
END_TEST

FORKED_SUITE(30)
{
	tcase_add_test(tests, test_order_is_kept);
	tcase_add_test(tests, test_bytes_are_bounded);
	tcase_add_test(tests, test_urgent_blocks_start_work);
	tcase_add_test(tests, test_large_then_small);
	tcase_add_test(tests, test_slow_worker);
	tcase_add_test(tests, test_waits_for_a_block);
	tcase_add_test(tests, test_error_stops_work);
	tcase_add_test(tests, test_freed_with_blocks);
}
