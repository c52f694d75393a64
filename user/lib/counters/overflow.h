/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * counters/overflow.h: counters that overflow, and wake poll(2).
 *
 * poll(2) of a perf event reports an overflow only if the event has a ring to write a record to.
 * The ring is the smallest, a page, and its records are not read: it is mapped read-only, so the
 * kernel overwrites them and it never fills.
 */
#ifndef PEAT_COUNTERS_OVERFLOW_H
#define PEAT_COUNTERS_OVERFLOW_H

#include "counters/counter.h"

/* The control page, and a page of data. */
#define OVERFLOW_PAGES 2

/*
 * Sets the period of the parsed events, and opens counters->overflow_fd, if the options have a
 * period.  0 or a negative errno; the log has the reason of -EINVAL.
 */
int overflow__prepare(struct peat_counters *counters, const struct peat_counters_opts *opts);
void overflow__close(struct peat_counters *counters);

/*
 * Gives the event `fd` of a target a ring, which it may share, polls it, and requests its signal.
 * 0; -ENOBUFS: this user may not lock the memory; another negative errno.
 */
int overflow__watch(const struct peat_counters *counters, uint32_t target, int fd,
		    struct part *part);

/* Clears counters->overflow_fd until the next overflow.  Accepts counters without it. */
void overflow__clear(const struct peat_counters *counters);

#endif /* PEAT_COUNTERS_OVERFLOW_H */
