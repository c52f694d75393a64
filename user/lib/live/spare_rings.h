/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/spare_rings.h: the second ring of each CPU, for rings that overwrite.  Programs write into
 * it while the first one is copied: rings__swap().
 */
#ifndef PEAT_LIVE_SPARE_RINGS_H
#define PEAT_LIVE_SPARE_RINGS_H

#include "ring/rings.h"

/* Makes spare rings for `rings`, which are not open yet: rings__open() opens both.  0 or -ENOMEM.
 */
int spare_rings__init(struct rings *spare, const struct rings *rings);

/*
 * Call when CPUs may have returned, after `rings` were reopened.  A spare ring that cannot be
 * reopened is closed, which is logged.
 */
void spare_rings__reopen(struct rings *spare, const struct rings *rings);

/*
 * Exchanges the rings of all CPUs: programs that start from now on do not write into `spare`.  A
 * CPU without a spare ring gets one, if it can be opened now.  If a CPU's rings cannot be
 * exchanged, both stay as they are, which is logged.
 */
void spare_rings__swap(struct rings *spare, struct rings *rings);

#endif /* PEAT_LIVE_SPARE_RINGS_H */
