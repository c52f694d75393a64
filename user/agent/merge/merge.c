// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* merge/merge.c: merges events of batches by time. */
#include <errno.h>
#include <stdlib.h>

#include "base/time_heap.h"
#include "merge/merge.h"

/* An event of a batch, by its time of day; without one, by that of the event before it. */
struct placed {
	uint64_t wall_ns;
	struct peat_batch_cursor at;
};

/* A batch with events that were not returned. */
struct held {
	struct peat_batch *batch;
	struct piece_info info;
	void *token;
	struct placed *events; /* in the order of time */
	size_t count, next;
	uint64_t due_ns;
	uint32_t newer, older; /* held batches, by arrival; NONE */
};

#define NONE UINT32_MAX

struct merge {
	struct merge_opts opts;
	struct held *held; /* `room` places */
	uint32_t room, free_head, oldest, newest;
	struct time_heap heap; /* of all held batches */
	uint64_t arrivals;
	uint64_t newest_ns; /* of the events returned */
	uint32_t returned;  /* the batch of the last event, which the caller may still use */
	bool holds_nothing;
	struct merge_counts counts;
};

struct merge *merge__new(const struct merge_opts *opts)
{
	struct merge *merge = calloc(1, sizeof(*merge));

	if (!merge)
		return NULL;
	merge->opts = *opts;
	merge->free_head = merge->oldest = merge->newest = merge->returned = NONE;
	return merge;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Doubles the places. */
static int grow(struct merge *merge)
{
	uint32_t room = merge->room ? 2 * merge->room : 16;
	struct time_entry *entries;
	struct held *held;

	held = realloc(merge->held, room * sizeof(*held));
	if (!held)
		return -ENOMEM;
	merge->held = held;
	entries = realloc(merge->heap.entries, room * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	merge->heap.entries = entries;
	for (uint32_t i = room; i-- > merge->room;) {
		held[i].newer = merge->free_head;
		merge->free_head = i;
	}
	merge->room = room;
	return 0;
}

static void append(struct merge *merge, uint32_t i)
{
	merge->held[i].older = merge->newest;
	merge->held[i].newer = NONE;
	if (merge->newest == NONE)
		merge->oldest = i;
	else
		merge->held[merge->newest].newer = i;
	merge->newest = i;
}

static void unlink_held(struct merge *merge, const struct held *held)
{
	if (held->older == NONE)
		merge->oldest = held->newer;
	else
		merge->held[held->older].newer = held->newer;
	if (held->newer == NONE)
		merge->newest = held->older;
	else
		merge->held[held->newer].older = held->older;
}

/* The batch alone does not count its types and tasks. */
static uint64_t bytes_of(const struct held *held)
{
	uint64_t bytes = peat_batch__bytes(held->batch);

	if (bytes < held->info.decoded_bytes)
		bytes = held->info.decoded_bytes;
	return bytes + held->count * sizeof(*held->events);
}

static void release(struct merge *merge, uint32_t i, bool all)
{
	struct held *held = &merge->held[i];

	unlink_held(merge, held);
	merge->counts.batches--;
	merge->counts.bytes -= bytes_of(held);
	free(held->events);
	merge->opts.done(merge->opts.arg, held->token, all);
	peat_batch__unref(held->batch);
	held->newer = merge->free_head;
	merge->free_head = i;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Equal times stay in the order of the batch. */
static int compare(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	if (one->wall_ns != other->wall_ns)
		return one->wall_ns < other->wall_ns ? -1 : 1;
	return one->at.at < other->at.at ? -1 : one->at.at > other->at.at;
}

static size_t count_events(const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	size_t count = 0;

	while (peat_batch__next(batch, &at, &event))
		count++;
	return count;
}

/* Agents send the events of CPUs one after the other. */
static int place_events(struct held *held)
{
	struct peat_batch_cursor at = PEAT_BATCH_START, before = at;
	uint64_t wall_ns = 0;
	struct peat_event event;
	bool is_sorted = true;

	held->count = count_events(held->batch);
	held->events = malloc((held->count ?: 1) * sizeof(*held->events));
	if (!held->events)
		return -ENOMEM;
	for (size_t i = 0; peat_batch__next(held->batch, &at, &event); i++) {
		uint64_t now = event.time_ns ? event.time_ns + (uint64_t)held->info.wall_clock_ns
					     : wall_ns;

		is_sorted = is_sorted && now >= wall_ns;
		wall_ns = now;
		held->events[i] = (struct placed){ wall_ns, before };
		before = at;
	}
	if (!is_sorted)
		qsort(held->events, held->count, sizeof(*held->events), compare);
	return 0;
}

/* The batch of the last event goes on, or is done. */
static void finish_returned(struct merge *merge)
{
	uint32_t i = merge->returned;
	struct time_entry entry;
	struct held *held;

	if (i == NONE)
		return;
	merge->returned = NONE;
	entry = merge->heap.entries[0];
	held = &merge->held[i];
	if (++held->next == held->count) {
		time_heap__remove(&merge->heap);
		release(merge, i, true);
		return;
	}
	entry.time_ns = held->events[held->next].wall_ns;
	time_heap__renew(&merge->heap, entry);
}

static void hold(struct merge *merge, const struct held *made)
{
	uint32_t i = merge->free_head;
	struct held *held = &merge->held[i];

	merge->free_head = held->newer;
	*held = *made;
	append(merge, i);
	merge->counts.batches++;
	merge->counts.bytes += bytes_of(held);
	if (held->count)
		time_heap__put(&merge->heap, (struct time_entry){ .time_ns = held->events->wall_ns,
								  .tie = merge->arrivals++,
								  .index = i });
	else
		release(merge, i, true);
}

int merge__add(struct merge *merge, struct peat_batch *batch, const struct piece_info *info,
	       void *token, uint64_t now_ns)
{
	struct held held = { .batch = batch,
			     .info = *info,
			     .token = token,
			     .due_ns = now_ns + merge->opts.delay_ns };
	int err;

	finish_returned(merge);
	if (merge->free_head == NONE && grow(merge))
		return -ENOMEM;
	err = place_events(&held);
	if (!err)
		hold(merge, &held);
	return err;
}

void merge__hold_nothing(struct merge *merge)
{
	merge->holds_nothing = true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_full(const struct merge *merge)
{
	return merge->counts.bytes > merge->opts.memory_bytes;
}

static void count(struct merge *merge, struct merged *merged, bool is_due)
{
	merge->counts.events++;
	merge->counts.hurried += !is_due;
	if (merged->wall_ns < merge->newest_ns) {
		merge->counts.late++;
		merged->event.late = true;
	} else {
		merge->newest_ns = merged->wall_ns;
	}
}

static void read_event(const struct held *held, struct merged *merged)
{
	const struct placed *placed = &held->events[held->next];
	struct peat_batch_cursor at = placed->at;

	*merged = (struct merged){ .info = &held->info,
				   .token = held->token,
				   .wall_ns = placed->wall_ns };
	peat_batch__next(held->batch, &at, &merged->event);
}

bool merge__next(struct merge *merge, uint64_t now_ns, struct merged *merged)
{
	struct held *held;
	bool is_due;

	finish_returned(merge);
	if (!merge->heap.count)
		return false;
	is_due = merge->holds_nothing || merge->held[merge->oldest].due_ns <= now_ns;
	if (!is_due && !is_full(merge))
		return false;
	merge->returned = merge->heap.entries[0].index;
	held = &merge->held[merge->returned];
	read_event(held, merged);
	count(merge, merged, is_due);
	return true;
}

uint64_t merge__wait_ns(const struct merge *merge, uint64_t now_ns)
{
	uint64_t due_ns;

	if (merge->oldest == NONE)
		return UINT64_MAX;
	due_ns = merge->held[merge->oldest].due_ns;
	if (merge->holds_nothing || is_full(merge) || due_ns <= now_ns)
		return 0;
	return due_ns - now_ns;
}

void merge__read_counts(const struct merge *merge, struct merge_counts *counts)
{
	*counts = merge->counts;
}

void merge__free(struct merge *merge)
{
	if (!merge)
		return;
	while (merge->oldest != NONE)
		release(merge, merge->oldest, false);
	free(merge->held);
	free(merge->heap.entries);
	free(merge);
}
