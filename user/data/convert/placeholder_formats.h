/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/placeholder_formats.h: TRACING_DATA for tracepoints whose formats are lost.  Pure.
 *
 * Formats are at the end of a recording: if its writer crashed, they are missing, and perf refuses
 * to open it.  With placeholders, perf shows everything but the payloads of the tracepoints.
 */
#ifndef PEAT_CONVERT_PLACEHOLDER_FORMATS_H
#define PEAT_CONVERT_PLACEHOLDER_FORMATS_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"

/* Returns the number of tracepoints; appends nothing if it is 0. */
uint32_t placeholder_formats__append(struct strbuf *out, const struct perf_attrs *attrs);

#endif /* PEAT_CONVERT_PLACEHOLDER_FORMATS_H */
