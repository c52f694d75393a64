// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/spare_rings.c: opens, reopens and exchanges the second rings of CPUs. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
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

/*
 * Opens or reopens the CPU's spare ring.  If that fails, the ring is closed: its events may be
 * dead, and programs that write to a dead event lose theirs.  But the events of a CPU that is
 * offline are written by no program, and are reopened when it returns.
 */
static int reopen(struct rings *spare, uint32_t cpu)
{
	int err = rings__reopen(spare, cpu, false);

	if (err >= 0 || err == -ENODEV || spare->by_cpu[cpu].fd < 0)
		return err < 0 ? err : 0;
	ring__close(&spare->by_cpu[cpu]);
	spare->count--;
	return err;
}

void spare_rings__reopen(struct rings *spare, const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < spare->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			reopen(spare, cpu);
}

/* A ring that could not be opened before is tried again. */
static int swap(struct rings *spare, struct rings *rings, uint32_t cpu)
{
	int err = spare->by_cpu[cpu].fd < 0 ? reopen(spare, cpu) : 0;

	return err ? err : rings__swap(rings, spare, cpu);
}

void spare_rings__swap(struct rings *spare, struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++) {
		int err = rings->by_cpu[cpu].fd < 0 ? 0 : swap(spare, rings, cpu);

		if (err)
			log__warn("CPU %u is not in the snapshot: its rings cannot be exchanged: "
				  "%s: its events stay for the next snapshot",
				  cpu, strerror(-err));
	}
}
