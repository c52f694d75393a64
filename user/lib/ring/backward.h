/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring/backward.h: rings in which new records overwrite the oldest ones.  The kernel writes them
 * backward (perf_event_attr.write_backward), so that the newest record is the first:
 *
 *     data_head ──▶ the newest record
 *                   older records
 *     ring->tail    the records from here on were copied before, or were never written
 *
 * Positions only fall, modulo 2^64.  If more than the ring's size lies between data_head and tail,
 * the oldest record left is torn: newer ones have overwritten its end, but not its header.
 */
#ifndef PEAT_RING_BACKWARD_H
#define PEAT_RING_BACKWARD_H

#include "ring/ring.h"

/* The copied records of one ring. */
struct backward_copy {
	uint32_t cpu;
	const struct ring *ring; /* that it was copied from */
	unsigned char *bytes;	 /* the newest record first; 8-byte aligned */
	uint32_t *records;	 /* the offset of each record, the oldest first */
	uint32_t count;		 /* number of records */
	size_t used_bytes;	 /* length of all records */

	uint64_t overwritten_bytes; /* of records written since the last copy, but not copied */
	bool is_corrupt;	    /* invalid bytes: the records before them are not copied */
};

/*
 * Copies the records that were written since the last copy, the newest `most_bytes` at most.  They
 * count as copied from now on.  No program may write to the ring, and all that wrote to it have
 * ended.  0 or -ENOMEM: no record is copied, nor counts as copied.  Free the copy, also a zeroed
 * one, by backward__free().
 */
int backward__copy(struct ring *ring, uint64_t most_bytes, struct backward_copy *copy);

/* Marks all records as copied, without copying them. */
void backward__skip(struct ring *ring);

void backward__free(struct backward_copy *copy);

/*
 * Finds the records in `bytes`, the newest first, up to the first that is not complete.  Sets
 * `used_bytes` to their length.  `offsets`: room for them, or NULL.  Returns their number.
 */
uint32_t backward__scan(const void *bytes, size_t count, uint32_t *offsets, size_t *used_bytes);

#endif /* PEAT_RING_BACKWARD_H */
