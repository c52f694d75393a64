// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* snapshot/heap.c: a binary heap of streams. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "snapshot/heap.h"

int heap__init(struct heap *heap, uint32_t room)
{
	*heap = (struct heap){ .entries = calloc(room + 1, sizeof(*heap->entries)) };
	return heap->entries ? 0 : -ENOMEM;
}

void heap__free(struct heap *heap)
{
	free(heap->entries);
	*heap = (struct heap){ 0 };
}

static bool is_before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->stream < b->stream;
}

void heap__put(struct heap *heap, uint64_t time_ns, uint32_t stream)
{
	struct heap_entry entry = { time_ns, stream };
	uint32_t at = heap->count++;

	for (; at && is_before(&entry, &heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
		heap->entries[at] = heap->entries[(at - 1) / 2];
	heap->entries[at] = entry;
}

/* Puts the entry at the top, or below older ones. */
static void sink(struct heap *heap, struct heap_entry entry)
{
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    is_before(&heap->entries[child + 1], &heap->entries[child]))
			child++;
		if (!is_before(&heap->entries[child], &entry))
			break;
		heap->entries[at] = heap->entries[child];
		at = child;
	}
	heap->entries[at] = entry;
}

void heap__renew(struct heap *heap, uint64_t time_ns)
{
	sink(heap, (struct heap_entry){ time_ns, heap->entries[0].stream });
}

void heap__remove(struct heap *heap)
{
	struct heap_entry last = heap->entries[--heap->count];

	if (heap->count)
		sink(heap, last);
}
