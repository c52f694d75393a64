/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_COUNTERS_BREAKPOINT_H
#define PEAT_COUNTERS_BREAKPOINT_H

#include "counters/counter.h"

/* peat_counters__move_breakpoint() of an event. */
int breakpoint__move(struct peat_counters *counters, struct counter *counter, uint64_t address);

#endif /* PEAT_COUNTERS_BREAKPOINT_H */
