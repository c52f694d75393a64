// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/counted.c: opens the counters of a pipeline. */
#include <errno.h>
#include <string.h>

#include "base/errors.h"
#include "pipeline/counted.h"
#include "pmu/events.h"

struct peat_counters *counted__open(const struct config_pipeline *config, const char *events,
				    uint64_t period)
{
	uint32_t pid = (uint32_t)config->pid, tid = (uint32_t)config->tid;
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts),
		.events = events,
		.pids = &pid,
		.tids = &tid,
		.pid_count = pid != 0,
		.tid_count = tid != 0,
		.cgroup = config->cgroup,
		.cpus = config->cpus,
		.all_tasks = !pid && !tid && !config->cgroup,
		.period = period,
	};
	struct peat_counters *counters = peat_counters__new(&opts);
	int err = counters ? peat_counters__enable(counters) : -errno;

	if (!err)
		return counters;
	peat_counters__free(counters);
	return fail_null(err);
}

int counted__check(const char *list)
{
	struct pmu_events events = { 0 };
	int err = pmu_events__parse(&events, list);

	pmu_events__free(&events);
	return err;
}

char *counted__trigger(const struct config_pipeline *config)
{
	return strndup(config->on, config->on_count.event_bytes);
}
