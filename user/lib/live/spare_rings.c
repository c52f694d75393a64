// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/spare_rings.c: opens, reopens and exchanges the second rings of CPUs. */
#include "base/internal.h"
#include "live/spare_rings.h"

static void close_all_rings(struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		ring__close(&rings->by_cpu[cpu]);
	rings->count = 0;
}

int spare_rings__open(struct rings *spare, struct rings *rings, const struct cpus *first,
		      uint64_t least_bytes)
{
	int err = rings__init(spare, rings->limit);

	spare->events = rings->events;
	spare->ring_bytes = rings->ring_bytes;
	spare->is_spare = spare->keep_slots = true;
	if (!err)
		err = rings__open(spare, first, least_bytes, 0);
	if (err || spare->ring_bytes == rings->ring_bytes)
		return err;
	close_all_rings(rings);
	rings->ring_bytes = spare->ring_bytes;
	return rings__open(rings, first, spare->ring_bytes, 0);
}

/* rings__reopen() warns if it fails: the CPU is not in the next snapshot then. */
void spare_rings__reopen(struct rings *spare, const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < spare->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			rings__reopen(spare, cpu, false);
}

void spare_rings__swap(struct rings *spare, struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++) {
		bool has_ring = rings->by_cpu[cpu].fd >= 0;

		if (has_ring && spare->by_cpu[cpu].fd < 0)
			log__warn("CPU %u has no second ring: it is not in the snapshot", cpu);
		else if (has_ring)
			rings__swap(rings, spare, cpu);
	}
}
