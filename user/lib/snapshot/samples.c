// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* snapshot/samples.c: decodes the times of records, and sorts by them. */
#include <errno.h>
#include <stdlib.h>

#include "snapshot/samples.h"

/* Nearly sorted: each moves past a few others at most. */
static void insert(struct samples *samples, struct sample_at sample)
{
	uint32_t at = samples->count++;

	for (; at && samples->samples[at - 1].time_ns > sample.time_ns; at--)
		samples->samples[at] = samples->samples[at - 1];
	samples->samples[at] = sample;
}

static void add_sample(struct samples *samples, const struct backward_copy *copy, uint32_t offset,
		       const struct peat_layout *layout, uint64_t from_ns)
{
	const struct perf_event_header *header = (const void *)(copy->bytes + offset);
	struct peat_record record;

	int output = 0;

	record.sz = sizeof(record);
	if (header->type != PEAT_RECORD_SAMPLE)
		return;
	if (peat_record__decode(layout, header, header->size, &record) != 1)
		output = -1;
	else if (record.has & PEAT_SAMPLE_IDENTIFIER) /* with several outputs */
		output = ring__event_of_id(copy->ring, record.id);
	if (output < 0)
		samples->corrupt++;
	else if (record.time_ns >= from_ns)
		insert(samples, (struct sample_at){ record.time_ns, offset, (uint32_t)output });
}

int samples__find(struct samples *samples, const struct backward_copy *copy,
		  const struct peat_layout *layout, uint64_t from_ns)
{
	*samples = (struct samples){
		.samples = calloc(copy->count + 1, sizeof(*samples->samples)),
	};
	if (!samples->samples)
		return -ENOMEM;
	for (uint32_t i = 0; i < copy->count; i++)
		add_sample(samples, copy, copy->records[i], layout, from_ns);
	return 0;
}

void samples__free(struct samples *samples)
{
	free(samples->samples);
	*samples = (struct samples){ 0 };
}
