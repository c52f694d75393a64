// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* queue/queue.c: keeps the batches that wait for an output, within a limit of memory. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/monotonic.h"
#include "queue/queue.h"

struct entry {
	struct entry *next;
	struct peat_batch *batch;
	struct flow *flow;
	struct peat_origin origin; /* number 0: it has none yet */
};

/* `last` is where the next one is linked. */
struct list {
	struct entry *first, **last;
};

struct queue {
	atomic_uint references;
	pthread_mutex_t lock; /* guards all below */
	pthread_cond_t has_room;
	enum queue_policy policy;
	bool is_patient; /* puts wait for room */
	int fd;
	uint64_t bytes, most_bytes, batches, blocked_ns;
	struct list waiting, under_way;
};

static const char *const policies[] = {
	[QUEUE_BLOCK] = "block",
	[QUEUE_DROP_OLDEST] = "drop-oldest",
	[QUEUE_DROP_NEWEST] = "drop-newest",
};

bool queue__parse_policy(const char *name, enum queue_policy *policy)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		*policy = (enum queue_policy)i;
		if (!strcmp(policies[i], name))
			return true;
	}
	return false;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void append(struct list *list, struct entry *entry)
{
	entry->next = NULL;
	*list->last = entry;
	list->last = &entry->next;
}

/* Unlinks the entry at `link`. */
static struct entry *unlink_at(struct list *list, struct entry **link)
{
	struct entry *entry = *link;

	*link = entry->next;
	if (!*link)
		list->last = link;
	return entry;
}

/* ---- entries: the lock is held --------------------------------------------------------------- */

static void free_entry(struct queue *queue, struct entry *entry)
{
	queue->bytes -= peat_batch__bytes(entry->batch);
	queue->batches--;
	peat_batch__unref(entry->batch);
	free(entry);
}

static void drop_first(struct queue *queue)
{
	struct entry *entry = unlink_at(&queue->waiting, &queue->waiting.first);

	flow__add(&entry->flow->dropped, flow__size(entry->batch));
	free_entry(queue, entry);
}

static bool has_room(const struct queue *queue, uint64_t bytes)
{
	return !queue->batches || queue->bytes + bytes <= queue->most_bytes;
}

/* Waits for a moment: the time until which a put waits can change. */
static void wait_for_room(struct queue *queue)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&queue->has_room, &queue->lock, &until);
}

static bool make_room(struct queue *queue, uint64_t bytes, const atomic_uint_fast64_t *until_ns)
{
	uint64_t since_ns;

	while (queue->policy == QUEUE_DROP_OLDEST && !has_room(queue, bytes) &&
	       queue->waiting.first)
		drop_first(queue);
	if (queue->policy != QUEUE_BLOCK || has_room(queue, bytes))
		return has_room(queue, bytes);
	since_ns = monotonic_ns();
	while (queue->is_patient && queue->policy == QUEUE_BLOCK && !has_room(queue, bytes) &&
	       monotonic_ns() < atomic_load(until_ns))
		wait_for_room(queue);
	queue->blocked_ns += monotonic_ns() - since_ns;
	return has_room(queue, bytes);
}

/* ---- the queue ------------------------------------------------------------------------------- */

struct queue *queue__new(uint64_t most_bytes, enum queue_policy policy)
{
	struct queue *queue = calloc(1, sizeof(*queue));

	if (!queue)
		return fail_null(-ENOMEM);
	queue->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (queue->fd < 0) {
		int err = -errno;

		free(queue);
		return fail_null(err);
	}
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->has_room, NULL);
	atomic_init(&queue->references, 1);
	queue->most_bytes = most_bytes;
	queue->policy = policy;
	queue->is_patient = true;
	queue->waiting.last = &queue->waiting.first;
	queue->under_way.last = &queue->under_way.first;
	return queue;
}

struct queue *queue__ref(struct queue *queue)
{
	atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
	return queue;
}

void queue__clear(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->under_way.first)
		append(&queue->waiting, unlink_at(&queue->under_way, &queue->under_way.first));
	while (queue->waiting.first)
		drop_first(queue);
	pthread_cond_broadcast(&queue->has_room);
	pthread_mutex_unlock(&queue->lock);
}

void queue__unref(struct queue *queue)
{
	if (!queue || atomic_fetch_sub_explicit(&queue->references, 1, memory_order_acq_rel) > 1)
		return;
	queue__clear(queue);
	pthread_mutex_destroy(&queue->lock);
	pthread_cond_destroy(&queue->has_room);
	close(queue->fd);
	free(queue);
}

void queue__set_limit(struct queue *queue, uint64_t most_bytes, enum queue_policy policy)
{
	pthread_mutex_lock(&queue->lock);
	queue->most_bytes = most_bytes;
	queue->policy = policy;
	pthread_cond_broadcast(&queue->has_room);
	pthread_mutex_unlock(&queue->lock);
}

static void keep(struct queue *queue, struct entry *entry)
{
	entry->batch = peat_batch__ref(entry->batch);
	queue->bytes += peat_batch__bytes(entry->batch);
	queue->batches++;
	append(&queue->waiting, entry);
	eventfd_write(queue->fd, 1);
}

void queue__put(struct queue *queue, struct flow *flow, struct peat_batch *batch,
		const atomic_uint_fast64_t *until_ns)
{
	struct entry *entry = malloc(sizeof(*entry));

	flow__add(&flow->offered, flow__size(batch));
	pthread_mutex_lock(&queue->lock);
	if (entry && make_room(queue, peat_batch__bytes(batch), until_ns)) {
		*entry = (struct entry){ .batch = batch, .flow = flow };
		keep(queue, entry);
		entry = NULL;
	} else {
		flow__add(&flow->dropped, flow__size(batch));
	}
	pthread_mutex_unlock(&queue->lock);
	free(entry);
}

void queue__stop_waiting(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->is_patient = false;
	pthread_cond_broadcast(&queue->has_room);
	pthread_mutex_unlock(&queue->lock);
}

struct peat_batch *queue__next(struct queue *queue)
{
	struct entry *entry = NULL;

	pthread_mutex_lock(&queue->lock);
	if (queue->waiting.first) {
		entry = unlink_at(&queue->waiting, &queue->waiting.first);
		append(&queue->under_way, entry);
	}
	pthread_mutex_unlock(&queue->lock);
	return entry ? entry->batch : NULL;
}

static struct entry **find(struct list *list, const struct peat_batch *batch)
{
	struct entry **link = &list->first;

	while (*link && (*link)->batch != batch)
		link = &(*link)->next;
	return *link ? link : NULL;
}

void queue__put_back(struct queue *queue, struct peat_batch *batch)
{
	struct entry **link, *entry;

	pthread_mutex_lock(&queue->lock);
	link = find(&queue->under_way, batch);
	if (link) {
		entry = unlink_at(&queue->under_way, link);
		entry->next = queue->waiting.first;
		if (!queue->waiting.first)
			queue->waiting.last = &entry->next;
		queue->waiting.first = entry;
	}
	pthread_mutex_unlock(&queue->lock);
}

void queue__put_all_back(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	if (queue->under_way.first) {
		*queue->under_way.last = queue->waiting.first;
		if (!queue->waiting.first)
			queue->waiting.last = queue->under_way.last;
		queue->waiting.first = queue->under_way.first;
		queue->under_way = (struct list){ .last = &queue->under_way.first };
	}
	pthread_mutex_unlock(&queue->lock);
}

struct flow *queue__origin(struct queue *queue, const struct peat_batch *batch, uint64_t run,
			   bool keep, struct peat_origin *origin)
{
	struct flow *flow = NULL;
	struct entry **link;

	pthread_mutex_lock(&queue->lock);
	link = find(&queue->under_way, batch);
	if (link) {
		struct entry *entry = *link;

		flow = entry->flow;
		*origin = entry->origin.number ? entry->origin : flow__next(flow, run);
		if (keep) {
			entry->origin = *origin;
			flow__note_numbers(flow, origin, batch);
		}
	}
	pthread_mutex_unlock(&queue->lock);
	return flow;
}

enum ending { ENDING_SETTLED, ENDING_HANDED_OVER, ENDING_DROPPED };

static void count_ending(struct flow *flow, uint64_t size, enum ending ending, uint64_t refused)
{
	refused = refused < size ? refused : size;
	if (ending == ENDING_DROPPED)
		flow__add(&flow->dropped, size);
	if (ending != ENDING_SETTLED)
		return;
	flow__add(&flow->refused, refused);
	flow__add(&flow->acknowledged, size - refused);
}

/* False: no such batch is under way; then it may not exist any longer. */
static bool end(struct queue *queue, const struct peat_batch *batch, enum ending ending,
		uint64_t refused)
{
	struct entry **link, *entry;

	pthread_mutex_lock(&queue->lock);
	link = find(&queue->under_way, batch);
	if (link) {
		entry = unlink_at(&queue->under_way, link);
		count_ending(entry->flow, flow__size(batch), ending, refused);
		free_entry(queue, entry);
		pthread_cond_broadcast(&queue->has_room);
	}
	pthread_mutex_unlock(&queue->lock);
	return link;
}

bool queue__settle(struct queue *queue, const struct peat_batch *batch, uint64_t refused)
{
	return end(queue, batch, ENDING_SETTLED, refused);
}

void queue__hand_over(struct queue *queue, const struct peat_batch *batch)
{
	end(queue, batch, ENDING_HANDED_OVER, 0);
}

void queue__drop(struct queue *queue, const struct peat_batch *batch)
{
	end(queue, batch, ENDING_DROPPED, 0);
}

int queue__fd(const struct queue *queue)
{
	return queue->fd;
}

void queue__read_counts(struct queue *queue, struct queue_counts *counts)
{
	pthread_mutex_lock(&queue->lock);
	*counts = (struct queue_counts){ .bytes = queue->bytes,
					 .most_bytes = queue->most_bytes,
					 .batches = queue->batches,
					 .blocked_ns = queue->blocked_ns };
	pthread_mutex_unlock(&queue->lock);
}
