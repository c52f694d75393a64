/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef SOURCE_HINTS_H
#define SOURCE_HINTS_H

#include <stdbool.h>

/*
 * source_hints.h: remedies for names that are no source: those of other tools, sources as bpftrace
 * has them, functions and tracepoints without their kind, perf events, source files and commands.
 */

/* The remedy, a part of a message.  The caller frees it; NULL: no memory. */
char *source_hints__for(const char *name);

/*
 * The probe that answers the question of a tool of bcc, bpftrace or perf: exec for execsnoop.
 * NULL: none.
 */
const char *source_hints__probe_like(const char *tool);

/* Whether a name is that of a perf event of this machine: page-faults. */
bool source_hints__is_perf_event(const char *name);

#endif /* SOURCE_HINTS_H */
