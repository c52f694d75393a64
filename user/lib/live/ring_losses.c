// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/ring_losses.c: losses that the kernel counts per ring. */
#include <errno.h>
#include <stdlib.h>

#include "live/ring_losses.h"

int ring_losses__open(struct live_source *live, const struct peat_reader_opts *opts)
{
	struct ring_losses *losses = &live->ring_losses;
	uint32_t cpus = live->inputs.rings.limit;

	(void)opts;
	if (!live->inputs.rings.events.counts_lost)
		return 0;
	losses->reported = calloc(cpus + 1, sizeof(*losses->reported));
	losses->cpus = losses->reported ? cpus : 0;
	return losses->reported ? 0 : -ENOMEM;
}

/* Losses that no LOST record reported: the kernel writes it before the next event of the ring. */
bool ring_losses__next(struct live_source *live, struct peat_event *event)
{
	struct ring_losses *losses = &live->ring_losses;

	for (; losses->next < losses->cpus; losses->next++) {
		uint64_t *reported = &losses->reported[losses->next], lost;

		if (inputs__lost(&live->inputs, losses->next, &lost) || lost <= *reported)
			continue;
		event->kind = PEAT_EVENT_LOST;
		event->cpu = losses->next;
		event->lost = lost - *reported;
		event->cause = PEAT_LOST_RING_FULL;
		*reported = lost;
		return true;
	}
	losses->next = 0;
	return false;
}

static int lost_of_rings(const struct inputs *inputs, uint64_t *lost)
{
	*lost = 0;
	for (uint32_t cpu = 0; cpu < inputs->rings.limit; cpu++) {
		uint64_t ring_lost;
		int err = inputs__lost(inputs, cpu, &ring_lost);

		if (err)
			return err;
		*lost += ring_lost;
	}
	return 0;
}

/* These are never added: PERF_FORMAT_LOST counts all losses, and those in LOST and LOST_SAMPLES
 * records overlap. */
int ring_losses__count(const struct live_source *live, const struct accounts *accounts,
		       struct peat_reader_stats *stats)
{
	(void)accounts;
	stats->lost_is_exact = live->inputs.rings.events.counts_lost;
	if (stats->lost_is_exact)
		return lost_of_rings(&live->inputs, &stats->lost);
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
	return 0;
}
