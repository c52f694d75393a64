// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/own_alerts.c: delivers alerts about the agent's own sources and outputs. */
#include <errno.h>
#include <poll.h>

#include "pipeline/parts.h"

static void send_alerts(struct pipeline *pipeline)
{
	struct peat_batch *batch = pipeline__new_batch(pipeline);

	if (!batch)
		return; /* the next look finds what this one would have */
	pipeline->env->add_alerts(pipeline->env->arg, pipeline->config->interval_ms, batch);
	if (peat_batch__events(batch))
		pipeline__send(pipeline, batch);
	else
		peat_batch__unref(batch);
}

/* Looks once a second. */
static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct pollfd fd = { .fd = pipeline->wake_fd, .events = POLLIN };

	if (poll(&fd, 1, timeout_ms) < 0 && errno != EINTR)
		return -errno;
	send_alerts(pipeline);
	return 0;
}

const struct pipeline_ops alerts_pipeline = { NULL, work, send_alerts, NULL };
