/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ring/reopen.h: reopens the rings of CPUs that return. */
#ifndef PEAT_RING_REOPEN_H
#define PEAT_RING_REOPEN_H

#include "ring/rings.h"
#include "sys/hotplug.h"

/*
 * Gives each CPU of `wanted` that is online its ring again, also if it was offline for a moment
 * only.  Returns the number of CPUs reopened.
 */
uint32_t hotplug__reopen_rings(struct hotplug *hotplug, struct rings *rings,
			       const struct cpus *wanted);

#endif /* PEAT_RING_REOPEN_H */
