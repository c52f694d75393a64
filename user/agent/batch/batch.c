// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* batch/batch.c: copies events into a batch, and reads them from it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <peat/batch.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/copied_identities.h"
#include "batch/points.h"
#include "batch/spare_buffers.h"

#define DEFAULT_BYTES (256u << 10)

struct peat_batch {
	struct peat_batch_opts opts; /* `source` is its own */
	atomic_uint references;
	uint64_t event_count;
	struct strbuf events; /* struct stored, each with its bytes and its comm */
	struct points points;
	struct copied_identities identities;
};

/* An event in `events`, aligned to 8; its bytes follow, aligned to 8, too. */
struct stored {
	struct peat_event event; /* its pointers `data` and `comm` are not valid */
	uint32_t comm_at;	 /* after this struct; 0: none */
	uint32_t bytes;		 /* of all: the next one follows */
};

static size_t align8(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

struct peat_batch *peat_batch__new(const struct peat_batch_opts *callers)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts) };
	struct peat_batch *batch;

	if (opts__read(&opts, sizeof(opts), callers, "peat_batch__new()"))
		return fail_null(-EINVAL);
	if (!opts.source) {
		log__error("peat_batch__new(): the name of the source is missing");
		return fail_null(-EINVAL);
	}
	batch = calloc(1, sizeof(*batch));
	opts.source = strdup(opts.source);
	if (!batch || !opts.source) {
		free(batch);
		free((char *)opts.source);
		return fail_null(-ENOMEM);
	}
	opts.bytes = opts.bytes ?: DEFAULT_BYTES;
	batch->opts = opts;
	atomic_init(&batch->references, 1);
	return batch;
}

struct peat_batch *peat_batch__ref(struct peat_batch *batch)
{
	atomic_fetch_add_explicit(&batch->references, 1, memory_order_relaxed);
	return batch;
}

void peat_batch__unref(struct peat_batch *batch)
{
	if (!batch || atomic_fetch_sub_explicit(&batch->references, 1, memory_order_acq_rel) > 1)
		return;
	if (batch->opts.release)
		batch->opts.release(batch->opts.arg);
	spare_buffers__give(&batch->events);
	points__free(&batch->points);
	copied_identities__free(&batch->identities);
	free((char *)batch->opts.source);
	free(batch);
}

const char *peat_batch__source(const struct peat_batch *batch)
{
	return batch->opts.source;
}

int64_t peat_batch__wall_clock(const struct peat_batch *batch)
{
	return batch->opts.wall_clock_ns;
}

uint64_t peat_batch__events(const struct peat_batch *batch)
{
	return batch->event_count;
}

uint64_t peat_batch__points(const struct peat_batch *batch)
{
	return points__count(&batch->points);
}

uint64_t peat_batch__bytes(const struct peat_batch *batch)
{
	return sizeof(*batch) + batch->events.room + points__bytes(&batch->points) +
	       batch->identities.memory.bytes;
}

/* ---- events ---------------------------------------------------------------------------------- */

size_t batch__event_bytes(const struct peat_batch *batch)
{
	return batch->events.count;
}

void batch__reserve(struct peat_batch *batch, size_t bytes)
{
	if (bytes && !spare_buffers__take(&batch->events, bytes))
		strbuf__room(&batch->events, bytes);
	batch->events.failed = false;
}

int peat_batch__add(struct peat_batch *batch, const struct peat_event *event)
{
	size_t comm_bytes = event->comm ? strlen(event->comm) + 1 : 0;
	size_t comm_at = align8(sizeof(struct stored) + event->size);
	size_t bytes = align8(comm_at + comm_bytes);
	const struct peat_identity *identity = NULL;
	struct stored *stored;

	if (batch->events.count && batch->events.count + bytes > batch->opts.bytes)
		return -ENOSPC; /* no failure: not logged, and errno stays */
	if (event->identity)
		identity =
			copied_identities__get(&batch->identities, event->cgroup, event->identity);
	stored = event->identity && !identity ? NULL : (void *)strbuf__room(&batch->events, bytes);
	if (!stored) {
		batch->events.failed = false; /* the events so far are whole */
		return fail(-ENOMEM);
	}
	stored->event = *event;
	stored->event.record = NULL;
	stored->event.identity = identity;
	stored->comm_at = comm_bytes ? (uint32_t)comm_at : 0;
	stored->bytes = (uint32_t)bytes;
	if (event->size)
		memcpy(stored + 1, event->data, event->size);
	if (comm_bytes)
		memcpy((char *)stored + comm_at, event->comm, comm_bytes);
	batch->events.count += bytes;
	batch->event_count += event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
	return 0;
}

bool peat_batch__next(const struct peat_batch *batch, struct peat_batch_cursor *at,
		      struct peat_event *event)
{
	const struct stored *stored;

	if (at->at >= batch->events.count)
		return false;
	stored = (const void *)(batch->events.bytes + at->at);
	at->at += stored->bytes;
	*event = stored->event;
	event->data = stored + 1;
	event->comm = stored->comm_at ? (const char *)stored + stored->comm_at : NULL;
	return true;
}

/* ---- points ---------------------------------------------------------------------------------- */

int peat_batch__add_point(struct peat_batch *batch, const struct peat_point *callers)
{
	struct peat_point point = { .sz = sizeof(point) };

	if (opts__read(&point, sizeof(point), callers, "peat_batch__add_point()"))
		return fail(-EINVAL);
	return points__add(&batch->points, &point);
}

bool peat_batch__next_point(const struct peat_batch *batch, struct peat_batch_cursor *at,
			    struct peat_point *point)
{
	const struct peat_point *ours = points__at(&batch->points, at->at);

	if (!ours)
		return false;
	at->at++;
	return !opts__write(point, ours, sizeof(*ours), "peat_batch__next_point()");
}
