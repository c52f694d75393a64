/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/label_sets.h: the label sets that have series of their own, up to a limit.  Pure. */
#ifndef PEAT_PROMETHEUS_LABEL_SETS_H
#define PEAT_PROMETHEUS_LABEL_SETS_H

#include <stdbool.h>

#include "base/hash.h"

/*
 * A label set that was admitted keeps its place, and no label set that was refused gets one later.
 * So the series "other" does not shrink, which Prometheus would take for a counter that began anew.
 */
struct label_sets {
	uint64_t most, most_bytes;
	uint64_t bytes; /* of the admitted sets in an answer */
	struct hash admitted;
};

/* `code` is the seeded hash of the set.  False: no more are admitted, or no memory. */
bool label_sets__admit(struct label_sets *sets, uint64_t code, size_t bytes);

void label_sets__free(struct label_sets *sets);

#endif /* PEAT_PROMETHEUS_LABEL_SETS_H */
