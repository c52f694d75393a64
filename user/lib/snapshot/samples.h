/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* snapshot/samples.h: the records of one CPU's ring in raw mode, by time. */
#ifndef PEAT_SNAPSHOT_SAMPLES_H
#define PEAT_SNAPSHOT_SAMPLES_H

#include <peat/record.h>

#include "ring/backward.h"

struct sample_at {
	uint64_t time_ns;
	uint32_t offset; /* in the copy */
	uint32_t output; /* the event of the ring that wrote it: the number of its map */
};

struct samples {
	struct sample_at *samples;
	uint32_t count, at;
	uint32_t corrupt; /* records that cannot be decoded, or have an unknown id */
};

/*
 * Call it while copy->ring exists.  Finds the SAMPLE records of the copy, from from_ns on.
 * Interrupts make their times go back a little: they are sorted.  0 or -ENOMEM.
 */
int samples__find(struct samples *samples, const struct backward_copy *copy,
		  const struct peat_layout *layout, uint64_t from_ns);
void samples__free(struct samples *samples); /* accepts zeroes */

#endif /* PEAT_SNAPSHOT_SAMPLES_H */
