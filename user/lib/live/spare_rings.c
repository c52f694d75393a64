// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/spare_rings.c: reopens and exchanges the second rings of CPUs. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "live/spare_rings.h"

int spare_rings__init(struct rings *spare, const struct rings *rings)
{
	spare->events = rings->events;
	spare->is_spare = spare->keep_slots = true;
	return rings__init(spare, rings->limit);
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
