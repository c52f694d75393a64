// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/stat.c: delivers counted perf events, as points, now and then. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "pipeline/counted.h"
#include "pipeline/parts.h"

/* "cycles,instructions" of a list. */
static char *join(const struct setting_list *list)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		strbuf__text(&text, i ? "," : "");
		strbuf__text(&text, list->at[i]);
	}
	strbuf__char(&text, '\0');
	if (text.failed)
		strbuf__free(&text);
	return text.bytes;
}

static int open_stat(struct pipeline *pipeline)
{
	char *events = join(&pipeline->config->stat);

	if (!events)
		return -ENOMEM;
	pipeline->counters = counted__open(pipeline->config, events, 0);
	free(events);
	if (!pipeline->counters)
		return -errno;
	pipeline->start_ns = pipeline__wall_ns();
	return 0;
}

/* "peat.stat" with the event's name as a label: names have characters that metrics may not. */
static void add_point(const struct pipeline *pipeline, struct peat_batch *batch,
		      const struct peat_counter_value *value)
{
	const struct peat_label labels[] = { { "source", pipeline->name },
					     { "event", value->name } };
	const struct peat_point point = {
		.sz = sizeof(point),
		.kind = value->unit ? PEAT_POINT_GAUGE : PEAT_POINT_COUNTER,
		.name = value->unit ? "peat.stat.amount" : "peat.stat",
		.unit = value->unit ? NULL : "{event}",
		.doc = value->unit ? "perf events counted, in their own unit"
				   : "perf events counted",
		.labels = labels,
		.label_count = 2,
		.start_ns = pipeline->start_ns,
		.time_ns = pipeline__wall_ns(),
		.count = value->scaled,
		.value = value->amount,
	};

	peat_batch__add_point(batch, &point);
}

static int send_points(struct pipeline *pipeline)
{
	struct peat_counter_value value = { .sz = sizeof(value) };
	struct peat_batch *batch;
	int err = peat_counters__read(pipeline->counters);

	pipeline->points_ns =
		pipeline__now_ns() + pipeline->config->interval_ms * UINT64_C(1000000);
	batch = err ? NULL : pipeline__new_batch(pipeline);
	if (!batch)
		return err;
	for (uint32_t i = 0; i < peat_counters__count(pipeline->counters); i++)
		if (!peat_counters__value(pipeline->counters, i, &value) &&
		    value.status == PEAT_COUNTER_COUNTED)
			add_point(pipeline, batch, &value);
	pipeline__send(pipeline, batch);
	return 0;
}

static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = pipeline->wake_fd, .events = POLLIN },
		{ .fd = peat_counters__fd(pipeline->counters), .events = POLLIN },
	};

	if (poll(fds, 2, pipeline__until(pipeline->points_ns, timeout_ms)) < 0 && errno != EINTR)
		return -errno;
	if (fds[1].revents)
		peat_counters__read(pipeline->counters); /* CPUs that return count again */
	return pipeline__now_ns() >= pipeline->points_ns ? send_points(pipeline) : 0;
}

static void finish(struct pipeline *pipeline)
{
	send_points(pipeline);
}

static int check(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	char *events = join(&config->stat);
	int err = events ? counted__check(events) : -ENOMEM;

	(void)opts;
	free(events);
	return err;
}

const struct pipeline_ops stat_pipeline = { open_stat, work, finish, check };
