/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/self.h: the pages of peat_counters__read_self(). */
#ifndef PEAT_COUNTERS_SELF_H
#define PEAT_COUNTERS_SELF_H

#include "counters/counter.h"
#include "counters/self_page.h"

/*
 * Maps the page of an event, and the data pages of a ring after it.  0 or a negative errno: limits
 * or the kernel refuse it: part->page is NULL, and read(2) is used.
 */
int self__map(int fd, uint32_t pages, struct part *part);
void self__unmap(struct part *part); /* accepts a part without a page */

#endif /* PEAT_COUNTERS_SELF_H */
