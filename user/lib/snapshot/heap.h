/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* snapshot/heap.h: streams by the time of their next event. */
#ifndef PEAT_SNAPSHOT_HEAP_H
#define PEAT_SNAPSHOT_HEAP_H

#include <stdint.h>

struct heap_entry {
	uint64_t time_ns;
	uint32_t stream; /* of equal times, the lowest is first */
};

struct heap {
	struct heap_entry *entries; /* the first is the oldest */
	uint32_t count;
};

/* Makes an empty heap with room for so many streams.  0 or -ENOMEM. */
int heap__init(struct heap *heap, uint32_t room);
void heap__free(struct heap *heap); /* accepts zeroes */

void heap__put(struct heap *heap, uint64_t time_ns, uint32_t stream);

/* Gives the first stream another time; or removes it. */
void heap__renew(struct heap *heap, uint64_t time_ns);
void heap__remove(struct heap *heap);

#endif /* PEAT_SNAPSHOT_HEAP_H */
