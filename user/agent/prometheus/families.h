/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * prometheus/families.h: points by metric, as Prometheus wants them: all series of a metric
 * together, and each label set once.  Pure.
 */
#ifndef PEAT_PROMETHEUS_FAMILIES_H
#define PEAT_PROMETHEUS_FAMILIES_H

#include <peat/batch.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "prometheus/buckets.h"
#include "prometheus/label_sets.h"

/* A label set of a metric, and the sum of its points. */
struct series {
	struct hash_link link; /* by family and labels */
	const struct family *family;
	struct series *next;
	const char *labels; /* a="x",b="y" */
	uint64_t count;
	double value;
	struct buckets buckets;
};

struct family {
	struct hash_link link; /* by name */
	struct family *next;
	const char *name;   /* without "_total" */
	const char *suffix; /* of the unit; NULL: none */
	const char *doc;
	enum peat_point_kind kind;
	bool is_ns; /* the numbers are nanoseconds */
	struct series *first, **end;
};

/* All zero, but for `sets`, which outlive it. */
struct families {
	struct label_sets *sets;
	struct arena memory;
	struct hash by_name, by_labels;
	struct family *first, *last;
	struct strbuf text, used; /* scratch memory */
	uint64_t in_other;	  /* points that were added to series "other" */
	uint64_t refused;	  /* points whose metric has another kind or unit */
};

/*
 * Adds a point to the series with its labels.  Points with the same labels are added.  Beyond the
 * limit of label sets, they are added to a series whose label values are all "other"; points
 * without labels, and with `is_unlimited`, are not limited.  The point has to live as long as the
 * families. 0 or -ENOMEM.
 */
int families__add(struct families *families, const struct peat_point *point, bool is_unlimited);

void families__free(struct families *families);

#endif /* PEAT_PROMETHEUS_FAMILIES_H */
