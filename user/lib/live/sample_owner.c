// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * live/sample_owner.c: finds samplers by the id in samples.
 *
 * If several readers sample the same software event, such as page-faults, all their samples have
 * the id of one of them: do_perf_sw_event() uses one perf_sample_data for all, and
 * perf_prepare_sample() keeps the id that it has (seen on Linux 6.18, not on 6.1).  Tracepoints,
 * breakpoints, clocks and hardware events have one of their own.
 */
#include <string.h>

#include "base/log.h"
#include "live/sample_owner.h"

static bool shares_ids(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config != PERF_COUNT_SW_CPU_CLOCK &&
	       attr->config != PERF_COUNT_SW_TASK_CLOCK;
}

/* The only sampler whose samples may have an id of another reader. */
static uint32_t find_sharing(struct sampling *sampling)
{
	uint32_t found = UINT32_MAX, count = 0;

	for (uint32_t i = 0; i < sampling->samplers.count; i++) {
		if (!shares_ids(&sampling->samplers.at[i].attr))
			continue;
		found = i;
		count++;
	}
	if (count == 1)
		return found;
	if (!sampling->has_warned)
		log__warn("samples are left out: another process samples one of these software "
			  "events, and the kernel gives all samples its id: sample one of them "
			  "at a time");
	sampling->has_warned = true;
	return UINT32_MAX;
}

uint32_t sample_owner__find(struct sampling *sampling, const struct ring *ring,
			    const struct perf_event_header *sample)
{
	uint64_t id = 0;
	int index;

	if (sample->size >= sizeof(*sample) + sizeof(id))
		memcpy(&id, sample + 1, sizeof(id));
	index = ring__event_of_id(ring, id);
	return index < 0 ? find_sharing(sampling) : (uint32_t)index % sampling->samplers.count;
}
