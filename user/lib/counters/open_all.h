/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_COUNTERS_OPEN_ALL_H
#define PEAT_COUNTERS_OPEN_ALL_H

#include "counters/counter.h"

/* Opens all events on all targets.  0 or a negative errno; the log has the reason. */
int open_all__targets(struct peat_counters *counters);

/*
 * Opens the events of CPUs that have returned, or are online for the first time, after
 * hotplug__poll().  Their last values are kept.  0 or a negative errno.
 */
int open_all__returned_cpus(struct peat_counters *counters);

/* Enables or disables the counters of a target: PERF_EVENT_IOC_ENABLE or _DISABLE. */
int open_all__switch(struct peat_counters *counters, uint32_t target, unsigned long request);

#endif /* PEAT_COUNTERS_OPEN_ALL_H */
