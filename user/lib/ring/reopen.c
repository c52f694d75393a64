// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring/reopen.c: reopens the rings of CPUs that return.  A uevent only says which CPUs to check.
 * rings__reopen() finds out from the perf events whether they are dead, since a CPU may be offline
 * and online again before the reader runs.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "ring/reopen.h"

static int reopen_ring(struct hotplug *hotplug, struct rings *rings, uint32_t cpu)
{
	bool is_named = cpus__has(&hotplug->named, cpu);

	if (cpus__has(&hotplug->failed, cpu))
		return -EALREADY;
	return is_named || hotplug->any ? rings__reopen(rings, cpu, is_named) : 0;
}

static uint32_t reopen_online(struct hotplug *hotplug, struct rings *rings,
			      const struct cpus *wanted, const struct cpus *online)
{
	struct cpus failed = { 0 };
	uint32_t reopened = 0;

	for_each_cpu (cpu, online) {
		int result;

		if (!cpus__has(wanted, cpu) || cpu >= rings->limit)
			continue;
		result = reopen_ring(hotplug, rings, cpu);
		if (result < 0 && result != -ENODEV && cpus__add(&failed, cpu))
			log__debug("no memory: the warning for CPU %u will be repeated", cpu);
		reopened += result > 0;
	}
	cpus__free(&hotplug->failed);
	cpus__free(&hotplug->named);
	hotplug->any = false;
	hotplug->failed = failed;
	return reopened;
}

uint32_t hotplug__reopen_rings(struct hotplug *hotplug, struct rings *rings,
			       const struct cpus *wanted)
{
	struct cpus online;
	uint32_t reopened;
	int err = cpus__read(&online, "online");

	if (err) {
		log__warn("cannot read which CPUs are online: %s", strerror(-err));
		return 0;
	}
	reopened = reopen_online(hotplug, rings, wanted, &online);
	cpus__free(&online);
	return reopened;
}
