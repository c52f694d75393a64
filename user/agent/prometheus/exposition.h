/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/exposition.h: the answer to a scrape.  Pure. */
#ifndef PEAT_PROMETHEUS_EXPOSITION_H
#define PEAT_PROMETHEUS_EXPOSITION_H

#include "base/strbuf.h"
#include "prometheus/families.h"

/* Appends all metrics, in the text format 0.0.4 or in OpenMetrics 1.0. */
void exposition__append(struct strbuf *out, const struct families *families, bool is_openmetrics);

#endif /* PEAT_PROMETHEUS_EXPOSITION_H */
