// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/flight.c: delivers the events before a trigger: a flight recorder. */
#include <errno.h>
#include <poll.h>

#include "base/log.h"
#include "pipeline/parts.h"

static int open_flight(struct pipeline *pipeline)
{
	pipeline->source = source__new(pipeline->config, pipeline->env->opts);
	if (!pipeline->source)
		return -errno;
	pipeline->trigger = source__new_trigger(pipeline->config, pipeline->env->opts);
	return pipeline->trigger ? 0 : -errno;
}

/* Whether the trigger had an event; the events themselves are in the recorder, or not wanted. */
static bool was_triggered(struct pipeline *pipeline)
{
	const struct peat_event *event;
	bool was = false;

	while (peat_reader__next(pipeline->trigger->reader, &event) > 0)
		was = was || event->kind == PEAT_EVENT_DATA;
	return was;
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

/* Any user can cause triggers. */
static bool is_due(const struct pipeline *pipeline)
{
	return !pipeline->trigger_ns ||
	       pipeline__now_ns() >=
		       pipeline->trigger_ns + pipeline->config->every_ms * UINT64_C(1000000);
}

static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = pipeline->wake_fd, .events = POLLIN },
		{ .fd = peat_reader__fd(pipeline->trigger->reader), .events = POLLIN },
		{ .fd = peat_reader__fd(pipeline->source->reader), .events = POLLIN },
	};
	int err;

	if (poll(fds, 3, timeout_ms) < 0 && errno != EINTR)
		return -errno;
	peat_reader__wait(pipeline->source->reader, 0);
	err = pipeline__drain(pipeline, pipeline->source->reader); /* follows CPUs and names */
	peat_reader__wait(pipeline->trigger->reader, 0);
	if (err || !was_triggered(pipeline) || !is_due(pipeline))
		return err;
	pipeline->trigger_ns = pipeline__now_ns();
	flow__add(&pipeline->triggers, 1);
	return dump(pipeline);
}

/* Events that no trigger requested count as overwritten. */
static void finish(struct pipeline *pipeline)
{
	peat_session__stop(pipeline->trigger->session);
	peat_session__stop(pipeline->source->session);
	pipeline__drain(pipeline, pipeline->source->reader);
	pipeline__flush(pipeline, true);
}

static int check_flight(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	return source__check(config, opts) ?: config->on ? source__check_trigger(config, opts) : 0;
}

const struct pipeline_ops flight_pipeline = { open_flight, work, finish, check_flight };
