/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/follow.h: threads, processes and programs of a task that its events follow. */
#ifndef PEAT_COUNTERS_FOLLOW_H
#define PEAT_COUNTERS_FOLLOW_H

#include <peat/counters.h>

#include "pmu/events.h"

/*
 * Requests opts.inherit_thread and opts.remove_on_exec for the parsed events, with sigtrap, which
 * the same kernels have.
 *
 * 0; -EINVAL: options that exclude each other; -EOPNOTSUPP: the kernel is too old.  The log has the
 * reason.
 */
int follow__prepare(struct pmu_events *events, const struct peat_counters_opts *opts);

#endif /* PEAT_COUNTERS_FOLLOW_H */
