/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/metrics.h: gathers the points of all sources, and of the agent itself. */
#ifndef PEAT_PROMETHEUS_METRICS_H
#define PEAT_PROMETHEUS_METRICS_H

#include "base/strbuf.h"
#include "prometheus/label_sets.h"
#include "prometheus/newest.h"

struct metrics {
	struct newest newest;
	struct label_sets sets;
	int (*collect)(void *arg, struct peat_batch *points); /* NULL: nothing to add */
	void *arg;
};

/*
 * Appends all points as of now, in the text format or in OpenMetrics.  One thread calls it.  0 or a
 * negative errno.
 */
int metrics__append(struct metrics *metrics, struct strbuf *out, bool is_openmetrics);

#endif /* PEAT_PROMETHEUS_METRICS_H */
