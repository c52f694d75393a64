// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/own_ledger.c: delivers the agent's ledger, as points, now and then. */
#include <errno.h>
#include <poll.h>

#include "pipeline/parts.h"

static void send_points(struct pipeline *pipeline)
{
	struct peat_batch *batch = pipeline__new_batch(pipeline);

	pipeline->points_ns =
		pipeline__now_ns() + pipeline->config->interval_ms * UINT64_C(1000000);
	if (!batch)
		return;
	pipeline->env->collect(pipeline->env->arg, batch); /* without memory, the next time */
	pipeline__send(pipeline, batch);
}

static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct pollfd fd = { .fd = pipeline->wake_fd, .events = POLLIN };

	if (poll(&fd, 1, pipeline__until(pipeline->points_ns, timeout_ms)) < 0 && errno != EINTR)
		return -errno;
	if (pipeline__now_ns() >= pipeline->points_ns)
		send_points(pipeline);
	return 0;
}

const struct pipeline_ops ledger_pipeline = { NULL, work, send_points, NULL };
