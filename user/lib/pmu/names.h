/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/names.h: the names of generic events: hardware, cache and software.  Pure. */
#ifndef PEAT_PMU_NAMES_H
#define PEAT_PMU_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/suggestion.h"

/* A generic event: type and config of perf_event_attr. */
struct pmu_generic {
	uint32_t type;
	uint64_t config;
};

/* Finds a name, which may be an alias: "cs", "l1d-read-miss". */
bool pmu_generic__find(struct pmu_generic *event, const char *name, size_t bytes);

/* The n-th name, from 0, sorted by type; an alias is in `also`, or NULL.  NULL: no more names. */
const char *pmu_generic__name(uint32_t n, struct pmu_generic *event, const char **also);

/* The n-th name of a cache event, from 0, in `name`.  False: no more names. */
bool pmu_generic__cache_name(uint32_t n, char name[32]);

/* Tries each name. */
void pmu_generic__suggest(struct suggestion *suggestion);

#endif /* PEAT_PMU_NAMES_H */
