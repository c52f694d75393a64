/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/names.h: metrics and labels as Prometheus writes them.  Pure. */
#ifndef PEAT_PROMETHEUS_NAMES_H
#define PEAT_PROMETHEUS_NAMES_H

#include <peat/batch.h>

#include "base/strbuf.h"

/*
 * The suffix of a unit: "seconds" for "ns" and "s", "bytes" for "By", the unit itself otherwise.
 * NULL: no suffix, as for "{event}".
 */
const char *names__unit(const char *unit);

/*
 * Appends the name of the metric of a point, "peat_run_time_seconds", without the "_total" of
 * counters.
 */
void names__metric(struct strbuf *out, const struct peat_point *point);

/*
 * Appends labels without braces: a="x",b="y".  If `is_other`, all values are "other".  `used` is
 * scratch memory.
 */
void names__labels(struct strbuf *out, struct strbuf *used, const struct peat_point *point,
		   bool is_other);

/* Appends text with the escapes of label values: a backslash, a newline, and `quote` if not 0. */
void names__escape(struct strbuf *out, const char *text, char quote);

#endif /* PEAT_PROMETHEUS_NAMES_H */
