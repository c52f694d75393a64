/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* batch/points.h: the points of a batch. */
#ifndef PEAT_BATCH_POINTS_H
#define PEAT_BATCH_POINTS_H

#include <peat/batch.h>

#include "base/arena.h"

/* Zeroes: none. */
struct points {
	struct arena memory; /* of what the points point to */
	struct peat_point *at;
	size_t count;
};

/* Copies a point.  0; -EINVAL: the log has the reason; -ENOMEM. */
int points__add(struct points *points, const struct peat_point *point);

/* NULL: there is no point of this number. */
const struct peat_point *points__at(const struct points *points, uint64_t number);

size_t points__count(const struct points *points);
size_t points__bytes(const struct points *points);
void points__free(struct points *points);

#endif /* PEAT_BATCH_POINTS_H */
