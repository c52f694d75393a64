/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/ring_losses.h: losses of maps and samplers, which only the kernel counts: of each ring
 * (PERF_FORMAT_LOST), and in LOST records.
 */
#ifndef PEAT_LIVE_RING_LOSSES_H
#define PEAT_LIVE_RING_LOSSES_H

#include "live/input.h"

/* Operations of struct live_input. */
int ring_losses__open(struct live_source *live, const struct peat_reader_opts *opts);
bool ring_losses__next(struct live_source *live, struct peat_event *event);
int ring_losses__count(const struct live_source *live, const struct accounts *accounts,
		       struct peat_reader_stats *stats);

/* A LOST record was returned: the loss is reported. */
static inline void ring_losses__report(struct live_source *live, const struct peat_event *lost)
{
	if (lost->cpu < live->ring_losses.cpus)
		live->ring_losses.reported[lost->cpu] += lost->lost;
}

#endif /* PEAT_LIVE_RING_LOSSES_H */
