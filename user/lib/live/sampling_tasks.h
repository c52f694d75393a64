/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_SAMPLING_TASKS_H
#define PEAT_LIVE_SAMPLING_TASKS_H

#include "live/sampling.h"

/* Finds the threads, or the cgroup, of sampling->opts.  0 or a negative errno, which is logged. */
int sampling_tasks__find(struct sampling *sampling);

#endif /* PEAT_LIVE_SAMPLING_TASKS_H */
