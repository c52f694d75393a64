/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lost_formats.h: TRACING_DATA for tracepoints whose formats are lost.  Pure.
 *
 * They are at the end of a recording, which a writer that crashed never wrote, and perf opens none
 * that has tracepoints without.  With these it shows all but what is in their payloads.
 */
#ifndef LOST_FORMATS_H
#define LOST_FORMATS_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"

/* How many tracepoints there are; with none nothing is appended. */
uint32_t lost_formats__append(struct out *out, const struct perf_attrs *attrs);

#endif /* LOST_FORMATS_H */
