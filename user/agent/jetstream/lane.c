// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/lane.c: makes messages of batches, and keeps them until their fate is known. */
#ifdef HAVE_NATS

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "jetstream/lane.h"
#include "piece/piece.h"

struct lane *lane__new(const char *subject)
{
	struct lane *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return NULL;
	strbuf__bytes(&lane->subject, subject, strlen(subject) + 1);
	if (!lane->subject.failed)
		return lane;
	lane__free(lane, NULL, NULL);
	return NULL;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Ids are values of a header, on one line. */
static void append_name(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		strbuf__char(out, (unsigned char)*text >= ' ' && *text != 0x7f ? *text : '_');
}

/* HOST/OUTPUT/SOURCE: names of outputs and sources have no slash. */
static int init_source(struct lane_source *source, const char *name,
		       const struct lane_origin *origin, int level)
{
	append_name(&source->name, origin->host);
	strbuf__char(&source->name, '/');
	append_name(&source->name, origin->output);
	strbuf__char(&source->name, '/');
	append_name(&source->name, name);
	strbuf__char(&source->name, 0);
	source->source = strdup(name);
	source->encoder = piece_encoder__new(origin->host, level);
	source->next = (struct peat_origin){
		.sz = sizeof(source->next), .run = origin->run, .number = 1, .first = 1
	};
	return source->source && source->encoder && !source->name.failed ? 0 : -ENOMEM;
}

static void free_source(struct lane_source *source)
{
	piece_encoder__free(source->encoder);
	strbuf__free(&source->name);
	free(source->source);
}

/* Finds the source, or adds it.  NULL: no memory. */
static struct lane_source *get_source(struct lane *lane, const char *name,
				      const struct lane_origin *origin, int level)
{
	struct lane_source source = { 0 };

	for (size_t i = 0; i < lane->source_count; i++)
		if (!strcmp(lane->sources[i].source, name))
			return &lane->sources[i];
	if (!ARRAY_RESERVE_NEXT(lane->sources, lane->source_count))
		return NULL;
	if (init_source(&source, name, origin, level)) {
		free_source(&source);
		return NULL;
	}
	lane->sources[lane->source_count] = source;
	return &lane->sources[lane->source_count++];
}

static void pass_numbers(struct lane_source *source, const struct peat_batch *batch)
{
	source->next.number++;
	source->next.first += peat_batch__events(batch);
}

int lane__add(struct lane *lane, struct peat_batch *batch, const struct peat_origin *own,
	      const struct lane_origin *origin, int level)
{
	struct lane_source *source = get_source(lane, peat_batch__source(batch), origin, level);
	struct lane_batch added = { 0 };
	int err;

	if (!source || !ARRAY_RESERVE(lane->batches, lane->count, lane->room))
		return -ENOMEM;
	added.source = (size_t)(source - lane->sources);
	added.origin = own ? *own : source->next;
	err = piece__encode(source->encoder, batch, &added.origin, &added.piece);
	if (err) {
		strbuf__free(&added.piece);
		return err;
	}
	added.batch = peat_batch__ref(batch);
	lane->batches[lane->count++] = added;
	if (!own)
		pass_numbers(source, batch);
	return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *name_of(const struct lane *lane, const struct lane_batch *batch)
{
	return lane->sources[batch->source].name.bytes;
}

/* Messages with other batches have other ids: the stream takes equal ids for equal messages. */
static void make_id(struct lane *lane)
{
	strbuf__cut(&lane->id, 0);
	stored__append_id(&lane->id, name_of(lane, lane->batches), &lane->batches[0].origin,
			  &lane->batches[lane->in_message - 1].origin);
}

/* Moves the batch before those that wait for another message. */
static void move_to_message(struct lane *lane, size_t i)
{
	const struct lane_batch batch = lane->batches[i];
	struct lane_batch *to = &lane->batches[lane->in_message++];

	memmove(to + 1, to, (size_t)(&lane->batches[i] - to) * sizeof(*to));
	*to = batch;
}

/* The oldest batch, and those of its source and run that follow. */
static void begin_message(struct lane *lane)
{
	size_t bytes = 0;

	for (size_t i = 0; i < lane->count; i++) {
		const struct lane_batch *first = lane->batches, *batch = &lane->batches[i];

		if (batch->source != first->source)
			continue;
		bytes += batch->piece.count;
		if (i && (batch->origin.run != first->origin.run || bytes > LANE_MESSAGE_BYTES))
			break;
		move_to_message(lane, i);
	}
	lane->was_sent = false;
	make_id(lane);
}

static natsMsg *message_of(const struct lane *lane, const struct strbuf *body)
{
	natsMsg *message = NULL;

	if (body->failed || lane->id.failed || body->count > INT_MAX ||
	    natsMsg_Create(&message, lane->subject.bytes, NULL, body->bytes, (int)body->count))
		return NULL;
	return message;
}

natsMsg *lane__message(struct lane *lane)
{
	struct strbuf body = { 0 };
	natsMsg *message;

	if (!lane->in_message)
		begin_message(lane);
	if (lane->in_message == 1)
		return message_of(lane, &lane->batches[0].piece);
	for (size_t i = 0; i < lane->in_message; i++)
		strbuf__bytes(&body, lane->batches[i].piece.bytes, lane->batches[i].piece.count);
	message = message_of(lane, &body);
	strbuf__free(&body);
	return message;
}

bool lane__shrink(struct lane *lane)
{
	if (lane->in_message <= 1)
		return false;
	lane->in_message = 1;
	make_id(lane);
	return true;
}

/* ---- the order in the stream ----------------------------------------------------------------- */

bool lane__names_last(const struct lane *lane)
{
	return lane->has_sequence && lane->outdated < LANE_OUTDATED_MOST;
}

void lane__note_stored(struct lane *lane, uint64_t sequence)
{
	lane->has_sequence = sequence;
	lane->sequence = sequence;
	if (!lane->is_disturbed)
		lane->outdated = 0;
}

/* Whether this agent, or the one whose batches it sends, has sent the last message. */
static bool is_own(const struct lane *lane, const struct stored *last)
{
	if (!last->name.count || !lane->count || last->run != lane->batches[0].origin.run)
		return false;
	for (size_t i = 0; i < lane->source_count; i++)
		if (!strcmp(lane->sources[i].name.bytes, last->name.bytes))
			return true;
	return false;
}

void lane__note_read(struct lane *lane)
{
	lane->is_read = true;
	lane->has_sequence = true;
	lane->sequence = lane->last.sequence;
	lane->is_disturbed = lane->sequence && !is_own(lane, &lane->last);
	lane->was_sent = false;
}

void lane__note_forbidden(struct lane *lane)
{
	lane->is_read = true;
	lane->has_sequence = false;
	lane->last.sequence = 0;
}

bool lane__note_outdated(struct lane *lane)
{
	lane->is_read = false;
	return ++lane->outdated == LANE_OUTDATED_MOST;
}

/* ---- the end of batches ---------------------------------------------------------------------- */

static void end_batch(struct lane_batch *ended, const char *refused_for, settled_fn settled,
		      void *arg)
{
	const uint64_t contents =
		peat_batch__events(ended->batch) + peat_batch__points(ended->batch);

	if (settled)
		settled(arg, ended->batch, refused_for ? contents : 0,
			refused_for && contents ? refused_for : NULL);
	peat_batch__unref(ended->batch);
	strbuf__free(&ended->piece);
}

size_t lane__settle(struct lane *lane, const char *refused_for, settled_fn settled, void *arg)
{
	const size_t count = lane->in_message;

	for (size_t i = 0; i < count; i++)
		end_batch(&lane->batches[i], refused_for, settled, arg);
	lane->count -= count;
	memmove(lane->batches, lane->batches + count, lane->count * sizeof(*lane->batches));
	lane->in_message = 0;
	return count;
}

size_t lane__settle_stored(struct lane *lane, settled_fn settled, void *arg)
{
	size_t kept = 0, count = lane->count;

	for (size_t i = 0; i < count; i++) {
		struct lane_batch *batch = &lane->batches[i];

		if (stored__has(&lane->last, name_of(lane, batch), &batch->origin))
			end_batch(batch, NULL, settled, arg);
		else
			lane->batches[kept++] = *batch;
	}
	lane->count = kept;
	if (kept < count)
		lane->in_message = 0;
	return count - kept;
}

void lane__free(struct lane *lane, settled_fn settled, void *arg)
{
	if (!lane)
		return;
	lane->in_message = lane->count;
	if (lane->count)
		lane__settle(lane, "closed", settled, arg);
	for (size_t i = 0; i < lane->source_count; i++)
		free_source(&lane->sources[i]);
	strbuf__free(&lane->last.name);
	strbuf__free(&lane->subject);
	strbuf__free(&lane->id);
	free(lane->sources);
	free(lane->batches);
	free(lane);
}

#endif /* HAVE_NATS */
