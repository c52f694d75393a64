/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/terms.h: terms between slashes, into an attr. */
#ifndef PEAT_PMU_TERMS_H
#define PEAT_PMU_TERMS_H

#include "pmu/events.h"
#include "pmu/parse.h"
#include "pmu/sysfs.h"

/*
 * Applies the terms of an item to its event: those of perf, and those of its PMU, which may be
 * NULL. An alias gives the event its unit and scale, too; other terms replace the values of the
 * alias.
 *
 *     -EINVAL   the list has the error
 *     -ENOENT   the PMU has no such event or term; the list has the error
 *     or another negative errno
 */
int pmu_terms__apply(struct pmu_event *event, const struct pmu *pmu, struct pmu_list *list,
		     const char *text, const struct pmu_item *item);

/* Makes the event that a PMU has this name for.  -ENOENT: it has none; nothing is logged. */
int pmu_terms__apply_alias(struct pmu_event *event, const struct pmu *pmu, struct pmu_list *list,
			   uint32_t at, const char *name);

#endif /* PEAT_PMU_TERMS_H */
