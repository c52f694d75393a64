/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/buckets.h: adds histograms.  Pure. */
#ifndef PEAT_PROMETHEUS_BUCKETS_H
#define PEAT_PROMETHEUS_BUCKETS_H

#include <peat/batch.h>

#include "base/arena.h"

struct buckets {
	struct peat_bucket *at; /* by `upper` */
	uint32_t count;
};

/*
 * Adds buckets: the result has the bounds of both, and the sum of all counts.  False: no memory,
 * and nothing was added.
 */
bool buckets__add(struct arena *memory, struct buckets *buckets, const struct peat_bucket *more,
		  uint32_t count);

#endif /* PEAT_PROMETHEUS_BUCKETS_H */
