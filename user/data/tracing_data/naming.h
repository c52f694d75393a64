/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracing_data/naming.h: names of the tracepoints that peat writes, and warnings about their
 * fields.
 */
#ifndef PEAT_TRACING_DATA_NAMING_H
#define PEAT_TRACING_DATA_NAMING_H

#include "tracing_data/payload.h"

/* The system of these tracepoints. */
#define NAMING_SYSTEM "peat"
#define NAMING_PREFIX NAMING_SYSTEM ":"

/* "peat:exec" for "exec"; characters other than letters, digits and '_' become '_', for perf. */
#define NAMING_BYTES 256
void naming__event(const char *event, char name[NAMING_BYTES]);

/* Logs fields that are left out, and a number of fields that breaks perf's scripts. */
void naming__warn(const struct payload_format *format, const char *event);

#endif /* PEAT_TRACING_DATA_NAMING_H */
