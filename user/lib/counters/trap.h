/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/trap.h: breakpoints that send SIGTRAP to the thread that hits them. */
#ifndef PEAT_COUNTERS_TRAP_H
#define PEAT_COUNTERS_TRAP_H

#include <peat/counters.h>

#include "pmu/events.h"

/*
 * Requests opts.sigtrap for the breakpoints among the parsed events, after overflow__prepare(),
 * which sets periods.
 *
 * 0; -EINVAL: wrong options; -EOPNOTSUPP: no such signals on this architecture.  The log has the
 * reason.
 */
int trap__prepare(struct pmu_events *events, const struct peat_counters_opts *opts);

#endif /* PEAT_COUNTERS_TRAP_H */
