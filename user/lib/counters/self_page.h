/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * counters/self_page.h: a counter of the calling thread, read from the page that the kernel maps
 * for it, without a system call (linux/perf_event.h, struct perf_event_mmap_page).
 */
#ifndef PEAT_COUNTERS_SELF_PAGE_H
#define PEAT_COUNTERS_SELF_PAGE_H

#include <stdbool.h>
#include <linux/perf_event.h>

#include "counters/reading.h"

/* Instructions that read the clock and the PMU.  Tests have functions of their own. */
struct self_clock {
	uint64_t (*cycles)(void);
	uint64_t (*counter)(uint32_t index); /* of the PMU, from 0 */
};

/* Of this machine.  Its functions are NULL: peat cannot ask this architecture. */
extern const struct self_clock self_page__clock;

/*
 * Reads the times of an enabled event, with the time since the kernel has written them.  False:
 * the kernel does not say how cycles become time.  Pure, but for the clock.
 */
bool self_page__times(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		      struct reading *reading);

/*
 * Reads the value as well.  False: the event is none of the PMU, or reading the PMU is not allowed:
 * read(2) has the value.
 */
bool self_page__read(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		     struct reading *reading);

/* Asks for access to the PMU, if the architecture gives it only then. */
void self_page__request(struct perf_event_attr *attr);

#endif /* PEAT_COUNTERS_SELF_PAGE_H */
