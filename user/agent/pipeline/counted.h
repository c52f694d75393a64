/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pipeline/counted.h: perf events that a pipeline counts: of `stat`, and of `on: EVENT>N`. */
#ifndef PEAT_PIPELINE_COUNTED_H
#define PEAT_PIPELINE_COUNTED_H

#include <peat/counters.h>

#include "config/config.h"

/*
 * Counts events of the tasks and CPUs that the configuration chooses.  `period`: see
 * peat_counters_opts; 0: they do not overflow.  NULL and errno.
 */
struct peat_counters *counted__open(const struct config_pipeline *config, const char *events,
				    uint64_t period);

/* Whether this machine has the events: 0 or a negative errno; the log has the reason. */
int counted__check(const char *events);

/* EVENT of `on: EVENT>N`.  The caller frees it.  NULL: no memory. */
char *counted__trigger(const struct config_pipeline *config);

#endif /* PEAT_PIPELINE_COUNTED_H */
