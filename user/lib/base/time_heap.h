/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/time_heap.h: streams by the time of their next event, a binary heap.  The owner allocates
 * and frees the entries.
 */
#ifndef PEAT_BASE_TIME_HEAP_H
#define PEAT_BASE_TIME_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct time_entry {
	uint64_t time_ns;
	uint64_t tie; /* of equal times, the lowest is first */
	uint32_t index;
};

struct time_heap {
	struct time_entry *entries; /* the first is the oldest */
	uint32_t count;
};

static inline bool time_heap__is_before(const struct time_entry *a, const struct time_entry *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->tie < b->tie;
}

/* There is room for it. */
static inline void time_heap__put(struct time_heap *heap, struct time_entry entry)
{
	struct time_entry *entries = heap->entries;
	uint32_t at = heap->count++;

	for (; at && time_heap__is_before(&entry, &entries[(at - 1) / 2]); at = (at - 1) / 2)
		entries[at] = entries[(at - 1) / 2];
	entries[at] = entry;
}

/* Puts the entry at this place, or below older ones. */
static inline void time_heap__sink(struct time_heap *heap, uint32_t at, struct time_entry entry)
{
	struct time_entry *entries = heap->entries;
	uint32_t child;

	while ((child = 2 * at + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    time_heap__is_before(&entries[child + 1], &entries[child]))
			child++;
		if (!time_heap__is_before(&entries[child], &entry))
			break;
		entries[at] = entries[child];
		at = child;
	}
	entries[at] = entry;
}

/* Replaces the first entry; or removes it. */
static inline void time_heap__renew(struct time_heap *heap, struct time_entry entry)
{
	time_heap__sink(heap, 0, entry);
}

static inline void time_heap__remove(struct time_heap *heap)
{
	heap->count--;
	if (heap->count)
		time_heap__sink(heap, 0, heap->entries[heap->count]);
}

/* Orders entries that were set in any order. */
static inline void time_heap__order(struct time_heap *heap)
{
	for (uint32_t at = heap->count / 2; at--;)
		time_heap__sink(heap, at, heap->entries[at]);
}

#endif /* PEAT_BASE_TIME_HEAP_H */
