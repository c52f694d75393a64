/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/list.h: the events of a machine, by kind. */
#ifndef PEAT_PMU_LIST_H
#define PEAT_PMU_LIST_H

#include <peat/event_names.h>

#include "pmu/events.h"

/* As peat_event_names__list(), in these directories. */
int pmu_names__list(struct pmu_dirs *dirs, const char *part,
		    int (*visit)(void *arg, const struct peat_event_name *event), void *arg);

#endif /* PEAT_PMU_LIST_H */
