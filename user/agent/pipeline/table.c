// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/table.c: delivers a table of counted events, as points, now and then. */
#include <errno.h>

#include "pipeline/parts.h"

static int open_table(struct pipeline *pipeline)
{
	pipeline->source = source__new(pipeline->config, pipeline->env->opts);
	pipeline->start_ns = pipeline__wall_ns();
	return pipeline->source ? 0 : -errno;
}

static void send_points(struct pipeline *pipeline)
{
	struct peat_batch *batch = pipeline__new_batch(pipeline);

	if (!batch)
		return;
	table_points__add(pipeline, batch);
	pipeline__send(pipeline, batch);
	pipeline->points_ns =
		pipeline__now_ns() + pipeline->config->interval_ms * UINT64_C(1000000);
}

/* Events that programs do not count themselves are counted by the reader. */
static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct peat_reader *reader = pipeline->source->reader;
	int err = peat_reader__wait(reader, pipeline__until(pipeline->points_ns, timeout_ms));

	if (err == -EINTR || err == -ECANCELED)
		err = 0;
	err = err < 0 ? err : pipeline__drain(pipeline, reader);
	pipeline__flush(pipeline, true); /* losses, and events without the fields */
	if (!err && pipeline__now_ns() >= pipeline->points_ns)
		send_points(pipeline);
	return err;
}

static void finish(struct pipeline *pipeline)
{
	peat_session__stop(pipeline->source->session);
	pipeline__drain(pipeline, pipeline->source->reader);
	pipeline__flush(pipeline, true);
	send_points(pipeline);
}

const struct pipeline_ops table_pipeline = { open_table, work, finish, source__check };
