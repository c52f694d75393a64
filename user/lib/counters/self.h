/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/self.h: the pages of peat_counters__read_self(). */
#ifndef PEAT_COUNTERS_SELF_H
#define PEAT_COUNTERS_SELF_H

#include "counters/self_page.h"

/* Maps the page of an event.  NULL: limits or the kernel refuse it, and read(2) is used. */
void *self__map(int fd);
void self__unmap(void *page); /* accepts NULL */

#endif /* PEAT_COUNTERS_SELF_H */
