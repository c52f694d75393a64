/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_COUNTERS_GROUP_READ_H
#define PEAT_COUNTERS_GROUP_READ_H

#include "counters/counter.h"

/* Reads the values of all events on a target, a group at once.  0 or a negative errno. */
/* Reads the file descriptor of one event, and so its group.  0 or a negative errno, which is
 * logged. */
int group_read__event(struct peat_counters *counters, uint32_t event, uint32_t target);

int group_read__target(struct peat_counters *counters, uint32_t target);

#endif /* PEAT_COUNTERS_GROUP_READ_H */
