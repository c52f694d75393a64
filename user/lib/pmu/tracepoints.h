/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/tracepoints.h: tracepoints by name and pattern, in the directory events of tracefs. */
#ifndef PEAT_PMU_TRACEPOINTS_H
#define PEAT_PMU_TRACEPOINTS_H

#include <stdint.h>

#include "base/suggestion.h"

struct pmu_tracepoint {
	const char *system, *event;
	uint32_t id; /* perf_event_attr.config */
};

/*
 * Calls `visit` for each tracepoint whose system and event match these patterns (* ? []), sorted,
 * until it returns non-zero.  That result; 0; or a negative errno:
 *
 *     -ENOENT   no tracepoint matches
 *     -EACCES   this user may not read tracefs
 */
int pmu_tracepoints__visit(int events, const char *system, const char *event,
			   int (*visit)(void *arg, const struct pmu_tracepoint *tracepoint),
			   void *arg);

/* Why tracefs cannot be opened or read, and what to do. */
const char *pmu_tracepoints__why(int err);

/* Tries SYSTEM:EVENT of all tracepoints. */
void pmu_tracepoints__suggest(int events, struct suggestion *suggestion);

#endif /* PEAT_PMU_TRACEPOINTS_H */
