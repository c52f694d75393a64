// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/recordings.c: writes the recordings of a pipeline: their sinks need its reader. */
#include <stdlib.h>

#include "file/recorded_file.h"
#include "pipeline/parts.h"

#define PAUSE_NS UINT64_C(100000000)

static struct recorded_file *open_file(const struct pipeline *pipeline,
				       const struct config_output *output)
{
	const struct peat_output_opts opts = config_output__opts(output);

	return recorded_file__open(&opts, pipeline->source->reader, pipeline->name,
				   output->queue_bytes);
}

void recordings__open(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->recording_count; i++)
		pipeline->recordings[i].file = open_file(pipeline, pipeline->recordings[i].output);
}

/* A call with so many events is short, so that the next pipeline can take over soon. */
#define MOST_AT_ONCE 4096

/* One call writes the events that follow, too, if no other target needs them one by one. */
static int64_t most_at_once(struct pipeline *pipeline, const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA && pipeline->recording_count == 1 &&
			       !pipeline->target_count && !pipeline->before &&
			       !atomic_load(&pipeline->after)
		       ? MOST_AT_ONCE
		       : 1;
}

static uint64_t write_one(struct recording *recording, const struct peat_event *event, int64_t most)
{
	int64_t events = recording->file ? recorded_file__write(recording->file, event, most) : 1;
	bool is_counted = event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;

	if (is_counted)
		flow__add(&recording->flow->offered, (uint64_t)events);
	if (is_counted && !recording->file)
		flow__add(&recording->flow->dropped, 1);
	return (uint64_t)events;
}

uint64_t recordings__write(struct pipeline *pipeline, const struct peat_event *event)
{
	int64_t most = most_at_once(pipeline, event);
	uint64_t events = 1;

	for (size_t i = 0; i < pipeline->recording_count; i++)
		events = write_one(&pipeline->recordings[i], event, most);
	return events;
}

static void count(struct recording *recording)
{
	uint64_t recorded, dropped, waiting;

	recorded_file__counts(recording->file, &recorded, &dropped, &waiting);
	flow__add(&recording->flow->acknowledged, recorded - recording->recorded);
	flow__add(&recording->flow->dropped, dropped - recording->dropped);
	recording->recorded = recorded;
	recording->dropped = dropped;
}

void recordings__pause(struct pipeline *pipeline, bool in_any_case)
{
	uint64_t now_ns;

	if (!pipeline->recording_count)
		return;
	now_ns = pipeline__now_ns();
	if (!in_any_case && now_ns < pipeline->pause_ns)
		return;
	pipeline->pause_ns = now_ns + PAUSE_NS;
	for (size_t i = 0; i < pipeline->recording_count; i++) {
		if (!pipeline->recordings[i].file)
			continue;
		recorded_file__pause(pipeline->recordings[i].file); /* it logs errors itself */
		count(&pipeline->recordings[i]);
	}
}

void recordings__close(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->recording_count; i++) {
		struct recording *recording = &pipeline->recordings[i];

		if (!recording->file)
			continue;
		recorded_file__finish(recording->file);
		count(recording);
		recorded_file__close(recording->file);
		recording->file = NULL;
	}
}

void recordings__free(struct pipeline *pipeline)
{
	recordings__close(pipeline);
	free(pipeline->recordings);
	pipeline->recordings = NULL;
	pipeline->recording_count = 0;
}
