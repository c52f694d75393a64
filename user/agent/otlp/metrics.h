/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/metrics.h: the points of a batch as an ExportMetricsServiceRequest.
 *
 *	COUNTER		Sum, monotonic and cumulative
 *	GAUGE		Gauge
 *	HISTOGRAM	ExponentialHistogram, cumulative, if each bound is twice the one before
 *			it, up to 2^63; otherwise Histogram
 */
#ifndef PEAT_OTLP_METRICS_H
#define PEAT_OTLP_METRICS_H

#include <peat/batch.h>

#include "base/strbuf.h"

/* Appends the message.  `resource` is the encoded Resource. */
void otlp_metrics__append(struct strbuf *out, const struct strbuf *resource,
			  const struct peat_batch *batch);

#endif /* PEAT_OTLP_METRICS_H */
