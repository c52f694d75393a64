// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/flight.c: delivers the events before a trigger: a flight recorder. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/log.h"
#include "pipeline/counted.h"
#include "pipeline/parts.h"

/* The longest wait between two readings of counts: events can be spread over many tasks. */
#define COUNTS_MS 100

static int open_counters(struct pipeline *pipeline)
{
	uint64_t period = peat_counters__limit_period(pipeline->config->on_count.over);
	char *event = counted__trigger(pipeline->config);
	int err;

	if (!event)
		return -ENOMEM;
	pipeline->counters = counted__open(pipeline->config, event, period);
	err = pipeline->counters ? 0 : -errno;
	free(event);
	return err;
}

static int open_flight(struct pipeline *pipeline)
{
	pipeline->source = source__new(pipeline->config, pipeline->env->opts);
	if (!pipeline->source)
		return -errno;
	if (pipeline->config->on_count.is_given)
		return open_counters(pipeline);
	pipeline->trigger = source__new_trigger(pipeline->config, pipeline->env->opts);
	return pipeline->trigger ? 0 : -errno;
}

/* ---- triggers -------------------------------------------------------------------------------- */

/* Whether the trigger had an event; the events themselves are in the recorder, or not wanted. */
static bool had_event(struct pipeline *pipeline)
{
	const struct peat_event *event;
	bool had = false;

	peat_reader__wait(pipeline->trigger->reader, 0);
	while (peat_reader__next(pipeline->trigger->reader, &event) > 0)
		had = had || event->kind == PEAT_EVENT_DATA;
	return had;
}

/* 1: yes, 0: no, or a negative errno. */
static int was_triggered(struct pipeline *pipeline)
{
	int64_t times;

	if (!pipeline->counters)
		return had_event(pipeline);
	times = peat_counters__exceeded(pipeline->counters, pipeline->config->on_count.over,
					&pipeline->rest);
	return times < 0 ? (int)times : times > 0;
}

/* Any user can cause triggers. */
static bool is_due(const struct pipeline *pipeline)
{
	return !pipeline->trigger_ns ||
	       pipeline__now_ns() >=
		       pipeline->trigger_ns + pipeline->config->every_ms * UINT64_C(1000000);
}

/* While no trigger is due, overflows of a frequent event would only wake the pipeline. */
static int trigger_fd(const struct pipeline *pipeline)
{
	if (!pipeline->counters)
		return peat_reader__fd(pipeline->trigger->reader);
	return is_due(pipeline) ? peat_counters__overflow_fd(pipeline->counters) : -1;
}

/* Events are counted from the last dump on. */
static int restart_counters(struct pipeline *pipeline)
{
	int err = pipeline->counters ? peat_counters__read(pipeline->counters) : 0;

	pipeline->rest = 0;
	if (pipeline->counters && !err)
		peat_counters__reset(pipeline->counters);
	return err;
}

static int dump(struct pipeline *pipeline)
{
	const struct peat_snapshot_opts opts = {
		.sz = sizeof(opts), .last_ns = pipeline->config->last_ms * UINT64_C(1000000)
	};
	struct peat_reader *snapshot = peat_reader__snapshot(pipeline->source->reader, &opts);
	int err;

	if (!snapshot)
		return -errno;
	err = pipeline__drain(pipeline, snapshot);
	peat_reader__free(snapshot);
	pipeline__flush(pipeline, true);
	return err;
}

static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = pipeline->wake_fd, .events = POLLIN },
		{ .fd = trigger_fd(pipeline), .events = POLLIN },
		{ .fd = peat_reader__fd(pipeline->source->reader), .events = POLLIN },
	};
	int err, triggered;

	if (pipeline->counters && (timeout_ms < 0 || timeout_ms > COUNTS_MS))
		timeout_ms = COUNTS_MS;
	if (poll(fds, 3, timeout_ms) < 0 && errno != EINTR)
		return -errno;
	peat_reader__wait(pipeline->source->reader, 0);
	err = pipeline__drain(pipeline, pipeline->source->reader); /* follows CPUs and names */
	triggered = err ?: was_triggered(pipeline);
	if (triggered <= 0 || !is_due(pipeline))
		return triggered < 0 ? triggered : 0;
	err = restart_counters(pipeline);
	if (err)
		return err;
	pipeline->trigger_ns = pipeline__now_ns();
	flow__add(&pipeline->triggers, 1);
	return dump(pipeline);
}

/* Events that no trigger requested count as overwritten. */
static void finish(struct pipeline *pipeline)
{
	if (pipeline->trigger)
		peat_session__stop(pipeline->trigger->session);
	peat_session__stop(pipeline->source->session);
	pipeline__drain(pipeline, pipeline->source->reader);
	pipeline__flush(pipeline, true);
}

static int check_count(const struct config_pipeline *config)
{
	char *event = counted__trigger(config);
	int err = event ? counted__check(event) : -ENOMEM;

	free(event);
	return err;
}

static int check_flight(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	return source__check(config, opts)
		       ?: config->on_count.is_given ? check_count(config)
						    : source__check_trigger(config, opts);
}

const struct pipeline_ops flight_pipeline = { open_flight, work, finish, check_flight };
