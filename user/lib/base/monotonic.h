/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/monotonic.h: the clock of event timestamps. */
#ifndef PEAT_BASE_MONOTONIC_H
#define PEAT_BASE_MONOTONIC_H

#include <stdint.h>

/*
 * Now, by the clock of event timestamps: CLOCK_MONOTONIC of the initial time namespace.  In another
 * one, clock_gettime() adds an offset, and the kernel's and the programs' timestamps have none.
 */
uint64_t monotonic_ns(void);

#endif /* PEAT_BASE_MONOTONIC_H */
