// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/metrics.c: gathers points, and has them written. */
#include <errno.h>

#include "prometheus/exposition.h"
#include "prometheus/families.h"
#include "prometheus/metrics.h"

static int add_batch(struct families *families, const struct peat_batch *batch, bool is_agents)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_point point = { .sz = sizeof(point) };
	int err = 0;

	while (!err && peat_batch__next_point(batch, &at, &point))
		err = families__add(families, &point, is_agents);
	return err;
}

/* The limit of label sets, and its effect on this answer. */
static int add_own_points(struct metrics *metrics, struct families *families)
{
	const struct peat_point points[] = {
		{ .name = "peat.prometheus.label_sets",
		  .doc = "Label sets of sources that have series of their own.",
		  .value = (double)metrics->sets.admitted.count },
		{ .name = "peat.prometheus.label_sets_limit",
		  .doc = "Most label sets that have series of their own.",
		  .value = (double)metrics->sets.most },
		{ .name = "peat.prometheus.points_in_other",
		  .doc = "Points of this answer that were added to series with the labels other.",
		  .value = (double)families->in_other },
		{ .name = "peat.prometheus.points_refused",
		  .doc = "Points left out: their metric has another type or unit.",
		  .value = (double)families->refused },
	};
	struct peat_point point;
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(points) / sizeof(*points); i++) {
		point = points[i];
		point.sz = sizeof(point);
		point.kind = PEAT_POINT_GAUGE;
		err = families__add(families, &point, true);
	}
	return err;
}

static int gather(struct metrics *metrics, struct families *families, struct peat_batch *own,
		  struct peat_batch **batches, size_t count)
{
	int err = metrics->collect ? metrics->collect(metrics->arg, own) : 0;

	err = err ?: add_batch(families, own, true);
	for (size_t i = 0; !err && i < count; i++)
		err = add_batch(families, batches[i], false);
	return err ?: add_own_points(metrics, families);
}

int metrics__append(struct metrics *metrics, struct strbuf *out, bool is_openmetrics)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "agent" };
	struct families families = { .sets = &metrics->sets };
	struct peat_batch *own = peat_batch__new(&opts);
	struct peat_batch **batches;
	size_t count;
	int err;

	batches = newest__hold(&metrics->newest, &count);
	err = own && batches ? gather(metrics, &families, own, batches, count) : -ENOMEM;
	if (!err)
		exposition__append(out, &families, is_openmetrics);
	/* The names of families are of the batches. */
	families__free(&families);
	newest__release(batches, count);
	peat_batch__unref(own);
	return err ?: out->failed ? -ENOMEM : 0;
}
