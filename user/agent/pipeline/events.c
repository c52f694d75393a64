// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/events.c: delivers each event of its sources. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "pipeline/parts.h"

static int open_events(struct pipeline *pipeline)
{
	pipeline->source = source__new(pipeline->config, pipeline->env->opts);
	return pipeline->source ? 0 : -errno;
}

#define MARK_NS UINT64_C(1000000000)

/* Losses of pinned programs that this reader has returned are not returned by the next one. */
static void mark_reported(struct pipeline *pipeline, bool in_any_case)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	uint64_t now_ns = pipeline__now_ns();

	if (!pipeline->source->pinned_ns || (!in_any_case && now_ns < pipeline->mark_ns))
		return;
	pipeline->mark_ns = now_ns + MARK_NS;
	peat_reader__ledger(pipeline->source->reader, PEAT_ALL_CPUS, &ledger);
}

static int work(struct pipeline *pipeline, int timeout_ms)
{
	struct peat_reader *reader = pipeline->source->reader;
	bool is_busy = pipeline->batch || pipeline->recording_count;
	int err = peat_reader__wait(reader, is_busy ? 50 : timeout_ms);

	if (err == -EINTR || err == -ECANCELED)
		err = 0;
	err = err < 0 ? err : pipeline__drain(pipeline, reader);
	pipeline__flush(pipeline, false);
	recordings__pause(pipeline, false);
	mark_reported(pipeline, false);
	return err;
}

static void finish(struct pipeline *pipeline)
{
	int err;

	if (atomic_load(&pipeline->ends_programs))
		source__end_programs(pipeline->source);
	mark_reported(pipeline, true);
	peat_session__stop(pipeline->source->session);
	err = pipeline__drain(pipeline, pipeline->source->reader);
	if (err)
		log__error("pipeline %s: cannot read its last events: %s", pipeline->name,
			   strerror(-err));
	pipeline__flush(pipeline, true);
	recordings__close(pipeline);
}

const struct pipeline_ops events_pipeline = { open_events, work, finish, source__check };
