// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* worker/spooled.c: encodes batches of a queue into the spool of an output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "worker/spooled.h"

#define AGAIN_NS UINT64_C(1000000000) /* after an error */
#define LEVEL	 1		      /* of zstd */

/* The encoder of a source. */
struct encoder {
	const struct flow *flow;
	struct piece_encoder *encoder;
	uint64_t last; /* number of the last piece in the spool */
};

struct spooled {
	struct spool *spool;
	struct worker_asks asks;
	char output[64], host[PIECE_NAME_MAX + 1];
	struct encoder *encoders;
	size_t encoder_count;
	struct strbuf bytes; /* of a piece */
	atomic_int err;	     /* of the last attempt */
	uint64_t again_ns;   /* no attempt before */
	uint64_t full_bytes; /* of the spool, when it was full */
};

/* ---- encoding -------------------------------------------------------------------------------- */

static struct encoder *find_encoder(struct spooled *spooled, const struct flow *flow)
{
	struct encoder encoder = { .flow = flow };

	for (size_t i = 0; i < spooled->encoder_count; i++)
		if (spooled->encoders[i].flow == flow)
			return &spooled->encoders[i];
	if (!ARRAY_RESERVE_NEXT(spooled->encoders, spooled->encoder_count))
		return fail_null(-ENOMEM);
	encoder.encoder = piece_encoder__new(spooled->host, LEVEL);
	if (!encoder.encoder)
		return NULL;
	spooled->encoders[spooled->encoder_count] = encoder;
	return &spooled->encoders[spooled->encoder_count++];
}

static int put(struct spooled *spooled, struct queue *queue, struct peat_batch *batch)
{
	struct spool_piece piece = { .batch = batch };
	struct encoder *encoder;
	int err;

	piece.flow = queue__origin(queue, batch, spooled->asks.run, false, &piece.origin);
	encoder = find_encoder(spooled, piece.flow);
	if (!encoder)
		return -errno;
	/* Numbers grow: this one passed the spool, and comes back after later ones. */
	if (piece.origin.number <= encoder->last)
		piece.origin = flow__next(piece.flow, spooled->asks.run);
	strbuf__cut(&spooled->bytes, 0);
	err = piece__encode(encoder->encoder, batch, &piece.origin, &spooled->bytes);
	if (err)
		return err == -ENOMEM ? err : -EINVAL;
	piece.bytes = spooled->bytes.bytes;
	piece.count = spooled->bytes.count;
	err = spool__put(spooled->spool, &piece);
	if (err)
		return err;
	flow__note_numbers(piece.flow, &piece.origin, batch);
	encoder->last = piece.origin.number;
	return 0;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* A batch that no attempt can write is dropped. */
static int move_batch(struct spooled *spooled, struct queue *queue, struct peat_batch *batch)
{
	int err = put(spooled, queue, batch);

	if (err == -E2BIG || err == -EINVAL) {
		log__warn("output %s: a batch of %llu events of %s cannot be spooled, and is "
			  "dropped: %s",
			  spooled->output, (unsigned long long)flow__size(batch),
			  peat_batch__source(batch), strerror(-err));
		queue__drop(queue, batch);
		return 0;
	}
	if (err)
		queue__put_back(queue, batch);
	else
		queue__hand_over(queue, batch);
	return err;
}

/* Logs changes of state alone. */
static void note_state(struct spooled *spooled, int err)
{
	const int before = atomic_exchange(&spooled->err, err);
	struct spool_counts counts;

	if (err) {
		spool__read_counts(spooled->spool, &counts);
		spooled->full_bytes = counts.bytes;
		spooled->again_ns = monotonic_ns() + AGAIN_NS;
	}
	if (err == before)
		return;
	if (err == -EAGAIN)
		log__warn("output %s: the spool is full: events wait in the queue",
			  spooled->output);
	else if (err)
		log__warn("output %s: cannot write to the spool: %s: events wait in the queue",
			  spooled->output, strerror(-err));
	else
		log__warn("output %s: the spool takes events again", spooled->output);
}

/* A full spool has room as soon as a segment is removed. */
static bool is_time(struct spooled *spooled)
{
	struct spool_counts counts;

	if (!atomic_load(&spooled->err) || monotonic_ns() >= spooled->again_ns)
		return true;
	spool__read_counts(spooled->spool, &counts);
	return counts.bytes != spooled->full_bytes;
}

int spooled__move(struct spooled *spooled, struct queue *queue, bool at_once)
{
	struct peat_batch *batch;
	bool has_tried = false;
	int err = 0;

	if (!at_once && !is_time(spooled))
		return atomic_load(&spooled->err);
	while (!err && (batch = queue__next(queue))) {
		err = move_batch(spooled, queue, batch);
		has_tried = true;
	}
	if (has_tried) {
		note_state(spooled, err);
		spooled->asks.settled(spooled->asks.arg);
	}
	return err;
}

bool spooled__origin(struct spooled *spooled, struct queue *queue, const struct peat_batch *batch,
		     struct peat_origin *origin)
{
	struct flow *flow;

	if (spool__origin(spooled->spool, batch, origin))
		return true;
	flow = queue__origin(queue, batch, spooled->asks.run, true, origin);
	if (flow)
		spool__skip_numbers(spooled->spool, batch, origin, flow);
	return flow;
}

bool spooled__is_bypassed(struct spooled *spooled)
{
	const int err = atomic_load(&spooled->err);
	struct spool_counts counts;

	spool__read_counts(spooled->spool, &counts);
	return err && err != -EAGAIN && counts.is_empty;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static struct flow *find_flow(void *arg, const char *source, bool makes)
{
	const struct spooled *spooled = arg;

	return spooled->asks.flow(spooled->asks.arg, source, spooled->output, makes);
}

struct spooled *spooled__open(const struct config_output *config, const struct worker_asks *asks)
{
	struct spooled *spooled = calloc(1, sizeof(*spooled));
	struct spool_opts opts = { .directory = config->spool,
				   .limits = config->spool_limits,
				   .run = asks->run,
				   .measure = piece__measure,
				   .decode = piece__decode,
				   .find_flow = find_flow,
				   .arg = spooled };

	if (!spooled)
		return fail_null(-ENOMEM);
	spooled->asks = *asks;
	snprintf(spooled->output, sizeof(spooled->output), "%s", config->section->name);
	if (gethostname(spooled->host, sizeof(spooled->host) - 1))
		strcpy(spooled->host, "localhost");
	spooled->spool = spool__open(&opts);
	if (!spooled->spool) {
		int err = -errno;

		free(spooled);
		return fail_null(err);
	}
	return spooled;
}

void spooled__set_limits(struct spooled *spooled, const struct config_output *config)
{
	spool__set_limits(spooled->spool, &config->spool_limits);
	spooled->again_ns = 0;
}

struct spool *spooled__spool(struct spooled *spooled)
{
	return spooled->spool;
}

int spooled__read_counts(struct spooled *spooled, struct spool_counts *counts)
{
	spool__read_counts(spooled->spool, counts);
	return atomic_load(&spooled->err);
}

void spooled__close(struct spooled *spooled)
{
	if (!spooled)
		return;
	spool__close(spooled->spool);
	for (size_t i = 0; i < spooled->encoder_count; i++)
		piece_encoder__free(spooled->encoders[i].encoder);
	free(spooled->encoders);
	strbuf__free(&spooled->bytes);
	free(spooled);
}
