// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/batches.c: fills batches with events, and offers them to outputs. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "batch/batch.h"
#include "pipeline/parts.h"

/* An event waits no longer for others. */
#define WAIT_NS UINT64_C(200000000)

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t pipeline__now_ns(void)
{
	return peat_clock__now_ns();
}

uint64_t pipeline__wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int64_t pipeline__wall_clock(void)
{
	return (int64_t)(pipeline__wall_ns() - pipeline__now_ns());
}

int pipeline__until(uint64_t at_ns, int most)
{
	uint64_t now_ns = pipeline__now_ns();
	uint64_t left_ms = at_ns > now_ns ? (at_ns - now_ns + 999999) / 1000000 : 0;

	return left_ms < (uint64_t)most ? (int)left_ms : most;
}

/* ---- batches --------------------------------------------------------------------------------- */

struct peat_batch *pipeline__new_batch(struct pipeline *pipeline)
{
	const struct peat_batch_opts opts = {
		.sz = sizeof(opts),
		.source = pipeline->name,
		.wall_clock_ns = pipeline__wall_clock(),
		.release = pipeline->source ? source__unref : NULL,
		.arg = pipeline->source,
	};
	struct peat_batch *batch = peat_batch__new(&opts);

	if (batch && pipeline->source)
		source__ref(pipeline->source);
	if (!batch && !pipeline->said_memory) {
		pipeline->said_memory = true;
		log__error("pipeline %s: no memory for its events: they are dropped",
			   pipeline->name);
	}
	return batch;
}

/* A queue may block: without the lock, so that others can ask and change targets meanwhile. */
void pipeline__send(struct pipeline *pipeline, struct peat_batch *batch)
{
	struct target targets[CONFIG_OUTPUTS_MAX];
	size_t count;

	pthread_mutex_lock(&pipeline->lock);
	count = pipeline->target_count;
	for (size_t i = 0; i < count; i++) {
		targets[i] = pipeline->targets[i];
		queue__ref(targets[i].queue);
	}
	pthread_mutex_unlock(&pipeline->lock);
	flow__add(&pipeline->offered, flow__size(batch));
	for (size_t i = 0; i < count; i++) {
		queue__put(targets[i].queue, targets[i].flow, batch, &pipeline->put_until_ns);
		queue__unref(targets[i].queue);
	}
	peat_batch__unref(batch);
}

void pipeline__flush(struct pipeline *pipeline, bool in_any_case)
{
	struct peat_batch *batch = pipeline->batch;

	if (!batch || (!in_any_case && pipeline__now_ns() < pipeline->batch_ns + WAIT_NS))
		return;
	pipeline->batch = NULL;
	pipeline->batch_bytes = batch__event_bytes(batch);
	pipeline__send(pipeline, batch);
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_counted(const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
}

/* Events that cannot be noted for lack of memory may be delivered twice. */
static bool is_of_next(struct handover *after, const struct peat_event *event)
{
	bool is = event->time_ns > atomic_load(&after->until_ns);

	if (is_counted(event))
		handover__note(after, event, !is);
	return is;
}

static bool is_of_former(const struct pipeline *pipeline, const struct peat_event *event)
{
	struct handover *before = pipeline->before;

	if (handover__is_over(before, event->time_ns))
		return false;
	return is_counted(event) ? handover__is_delivered(before, event)
				 : event->time_ns <= atomic_load(&before->until_ns);
}

/* Events without a time are of both. */
static bool is_handed_over(struct pipeline *pipeline, const struct peat_event *event)
{
	struct handover *after = atomic_load(&pipeline->after);
	bool is = event->time_ns && ((pipeline->before && is_of_former(pipeline, event)) ||
				     (after && is_of_next(after, event)));

	if (is && is_counted(event))
		flow__add(&pipeline->handed_over, 1);
	return is;
}

/* Most batches are about as large as the one before. */
static void begin_batch(struct pipeline *pipeline)
{
	pipeline->batch = pipeline__new_batch(pipeline);
	pipeline->batch_ns = pipeline__now_ns();
	if (pipeline->batch)
		batch__reserve(pipeline->batch, pipeline->batch_bytes);
}

static int try_add(struct pipeline *pipeline, const struct peat_event *event)
{
	if (!pipeline->batch)
		begin_batch(pipeline);
	return pipeline->batch ? peat_batch__add(pipeline->batch, event) : -ENOMEM;
}

/* Without memory it is lost to each output: offered and dropped. */
static void drop(struct pipeline *pipeline)
{
	flow__add(&pipeline->offered, 1);
	pthread_mutex_lock(&pipeline->lock);
	for (size_t i = 0; i < pipeline->target_count; i++) {
		flow__add(&pipeline->targets[i].flow->offered, 1);
		flow__add(&pipeline->targets[i].flow->dropped, 1);
	}
	pthread_mutex_unlock(&pipeline->lock);
}

static void add(struct pipeline *pipeline, const struct peat_event *event)
{
	int err = try_add(pipeline, event);

	if (err == -ENOSPC) {
		pipeline__flush(pipeline, true);
		err = try_add(pipeline, event);
	}
	if (err && is_counted(event))
		drop(pipeline);
}

/* Recordings first: they may take the events that follow, too. */
static void take(struct pipeline *pipeline, const struct peat_event *event)
{
	uint64_t events;

	if (is_handed_over(pipeline, event))
		return;
	if (pipeline->recording_count) {
		events = recordings__write(pipeline, event);
		if (!pipeline->target_count && is_counted(event))
			flow__add(&pipeline->offered, events);
	}
	if (pipeline->target_count)
		add(pipeline, event);
}

/* All rings were empty now, and programs that stage events for long have sent them. */
#define LATE_NS UINT64_C(10000000000)

static void forget_former(struct pipeline *pipeline)
{
	if (!pipeline->before || !handover__is_over(pipeline->before, pipeline__now_ns() - LATE_NS))
		return;
	handover__free(pipeline->before);
	pipeline->before = NULL;
}

int pipeline__drain(struct pipeline *pipeline, struct peat_reader *reader)
{
	const struct peat_event *event;
	int more;

	while ((more = peat_reader__next(reader, &event)) > 0)
		take(pipeline, event);
	if (!more)
		forget_former(pipeline);
	return more;
}
