// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/spool.c: keeps the order and the limits of the pieces of an output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/errors.h"
#include "base/log.h"
#include "spool/parts.h"

/* ---- policies -------------------------------------------------------------------------------- */

bool spool__parse_full(const char *name, enum spool_full *full)
{
	*full = strcmp(name, "drop-oldest") ? SPOOL_BLOCK : SPOOL_DROP_OLDEST;
	return *full == SPOOL_DROP_OLDEST || !strcmp(name, "block");
}

bool spool__parse_sync(const char *name, enum spool_sync *sync)
{
	static const char *const names[] = { "never", "rotate", "batch" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		*sync = (enum spool_sync)i;
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

static bool syncs_segments(const struct spool *spool)
{
	return spool->opts.limits.sync != SPOOL_SYNC_NEVER;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void publish(struct spool *spool)
{
	spool->own.bytes = spool->segments.bytes;
	spool->own.segments = spool->segments.count;
	spool->own.most_bytes = spool->opts.limits.most_bytes;
	spool->own.is_empty = !spool->first && spool__is_read(spool);
	pthread_mutex_lock(&spool->lock);
	spool->counts = spool->own;
	pthread_mutex_unlock(&spool->lock);
}

void spool__read_counts(struct spool *spool, struct spool_counts *counts)
{
	pthread_mutex_lock(&spool->lock);
	*counts = spool->counts;
	pthread_mutex_unlock(&spool->lock);
}

static int count_error(struct spool *spool, int err)
{
	spool->own.errors += err < 0;
	return err;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static struct place settled_before(const struct spool *spool)
{
	return spool->first ? spool->first->place : spool->unread;
}

/* The last one that is being written stays. */
static void remove_settled(struct spool *spool)
{
	struct segments *segments = &spool->segments;
	const struct place before = settled_before(spool);

	while (segments->count) {
		const struct segment *first = &segments->at[0];
		bool is_settled =
			first->number < before.segment ||
			(first->number == before.segment && first->bytes <= before.offset);

		if (!is_settled || (segments->count == 1 && segments->fd >= 0) ||
		    count_error(spool, segments__remove_first(segments)))
			break;
	}
}

/* A directory that was removed and made again has another one. */
static uint64_t new_id(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Sources of the file that the agent has, so that its state has their counts from the start. */
static void continue_sources(struct spool *spool)
{
	for (uint32_t i = 0; i < spool->former.source_count; i++) {
		const char *name = spool->former.sources[i].name;
		struct flow *flow = spool->opts.find_flow(spool->opts.arg, name, false);

		if (flow)
			spool__source(spool, name, flow);
	}
}

/* Numbers of segments that settled places name are not used again. */
static void skip_numbers(struct spool *spool)
{
	segments__skip_number(&spool->segments, spool->former.before.segment);
	for (uint32_t i = 0; i < spool->former.count; i++)
		segments__skip_number(&spool->segments, spool->former.at[i].segment);
}

struct spool *spool__open(const struct spool_opts *opts)
{
	struct spool *spool = calloc(1, sizeof(*spool));
	int err;

	if (!spool)
		return fail_null(-ENOMEM);
	spool->opts = *opts;
	spool->opts.directory = NULL;
	spool->last = &spool->first;
	spool->reader = (struct piece_reader){ .measure = opts->measure, .fd = -1 };
	pthread_mutex_init(&spool->lock, NULL);
	err = segments__open(&spool->segments, opts->directory);
	if (err) {
		pthread_mutex_destroy(&spool->lock);
		free(spool);
		return fail_null(err);
	}
	err = settled__open(&spool->files, spool->segments.directory, &spool->former);
	if (err) {
		log__error("spool %s: cannot open its file of settled batches: %s", opts->directory,
			   strerror(-err));
		spool__close(spool);
		return fail_null(err);
	}
	spool->id = spool->former.id ?: new_id();
	continue_sources(spool);
	skip_numbers(spool);
	spool->unread = spool->former.before;
	remove_settled(spool);
	publish(spool);
	return spool;
}

void spool__set_limits(struct spool *spool, const struct spool_limits *limits)
{
	spool->opts.limits = *limits;
	publish(spool);
}

/* ---- what is settled ------------------------------------------------------------------------- */

static void add_place(struct settled *settled, struct place place)
{
	if (settled->count < SETTLED_MAX)
		settled->at[settled->count++] = place;
}

/* Pieces that the former process settled, and older ones are not settled yet. */
static uint32_t former_left(const struct spool *spool, struct settled *settled)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < spool->former.count; i++) {
		if (place__is_before(spool->former.at[i], settled_before(spool)))
			continue;
		count++;
		if (settled)
			add_place(settled, spool->former.at[i]);
	}
	return count;
}

void spool__write_settled(struct spool *spool)
{
	const struct place kept = { spool->kept_from, 0 };
	struct settled settled = { .id = spool->id, .before = settled_before(spool) };
	uint32_t left = spool->busy;

	if (place__is_before(settled.before, kept))
		settled.before = kept;
	for (const struct loaded *piece = spool->first; left && piece; piece = piece->next) {
		left -= piece->state != LOADED_READY;
		if (piece->state == LOADED_SETTLED)
			add_place(&settled, piece->place);
	}
	former_left(spool, &settled);
	ends__fill(spool, &settled);
	count_error(spool, settled__write(&spool->files, &settled,
					  spool->opts.limits.sync == SPOOL_SYNC_BATCH));
}

static void set_state(struct spool *spool, struct loaded *piece, enum loaded_state state)
{
	const uint64_t bytes = peat_batch__bytes(piece->batch);

	if (piece->state == LOADED_READY) {
		spool->busy++;
		spool->ready_bytes -= bytes;
	} else if (state == LOADED_READY) {
		spool->busy--;
		spool->ready_bytes += bytes;
	}
	piece->state = state;
}

/* Pieces of other runs were counted when they were loaded, which ends here. */
static void uncount(const struct loaded *piece)
{
	if (!piece->is_former || piece->state == LOADED_SETTLED)
		return;
	atomic_fetch_sub(&piece->flow->spooled, piece->size);
	atomic_fetch_sub(&piece->flow->offered, piece->size);
	atomic_fetch_sub(&piece->flow->former.offered, piece->size);
}

/* Pieces that were under way when their segment was dropped: no other process can send them. */
static void drop_pieces_in_memory(struct spool *spool)
{
	for (struct loaded *piece = spool->first; piece && piece->place.segment < spool->kept_from;
	     piece = piece->next) {
		if (piece->state == LOADED_SETTLED)
			continue;
		spool__count_dropped(piece);
		set_state(spool, piece, LOADED_SETTLED);
	}
}

void spool__close(struct spool *spool)
{
	if (!spool)
		return;
	if (spool->files.fds[1] >= 0) {
		drop_pieces_in_memory(spool);
		segments__end(&spool->segments, syncs_segments(spool));
		spool__write_settled(spool);
		remove_settled(spool);
	}
	while (spool->first) {
		uncount(spool->first);
		spool__free_loaded(spool, &spool->first);
	}
	for (size_t i = 0; i < spool->source_count; i++)
		free(spool->sources[i].name);
	free(spool->sources);
	piece_reader__close(&spool->reader);
	settled__close(&spool->files);
	segments__close(&spool->segments);
	pthread_mutex_destroy(&spool->lock);
	free(spool);
}

/* ---- putting --------------------------------------------------------------------------------- */

static bool has_room(const struct spool *spool, size_t count)
{
	return spool->segments.bytes + count <= spool->opts.limits.most_bytes;
}

static int make_room(struct spool *spool, size_t count)
{
	if (count > spool->opts.limits.most_bytes)
		return -E2BIG;
	if (!has_room(spool, count) && !spool->first && spool__is_read(spool)) {
		segments__end(&spool->segments, false); /* all of it is settled */
		remove_settled(spool);
	}
	while (!has_room(spool, count)) {
		int err = -EAGAIN;

		if (spool->opts.limits.full == SPOOL_DROP_OLDEST)
			err = count_error(spool, spool__drop_first(spool));
		if (err)
			return err;
	}
	return 0;
}

static int append(struct spool *spool, const struct spool_piece *piece)
{
	struct segments *segments = &spool->segments;
	int err = 0;

	if (segments->fd >= 0 && segments->at[segments->count - 1].bytes + piece->count >
					 spool->opts.limits.segment_bytes)
		count_error(spool, segments__end(segments, syncs_segments(spool)));
	if (segments->fd < 0)
		err = segments__begin(segments, syncs_segments(spool));
	return err
		       ?: segments__append(segments, piece->bytes, piece->count,
					   spool->opts.limits.sync == SPOOL_SYNC_BATCH);
}

/* Drops the oldest segments if the disk is full. */
static int append_dropping(struct spool *spool, const struct spool_piece *piece)
{
	int err = append(spool, piece);

	while ((err == -ENOSPC || err == -EDQUOT) && spool->segments.count > 1 &&
	       spool->opts.limits.full == SPOOL_DROP_OLDEST) {
		count_error(spool, err);
		err = spool__drop_first(spool) ?: append(spool, piece);
	}
	return count_error(spool, err);
}

static void note_numbers(struct spool *spool, struct spool_source *source,
			 const struct peat_batch *batch, const struct peat_origin *origin)
{
	const struct piece_info info = { .run = spool->opts.run,
					 .first = origin->first,
					 .events = peat_batch__events(batch) };

	spool__note_number(spool, source, &info);
}

/* A piece that follows the loaded ones is one of them, as long as memory lasts. */
static void keep_in_memory(struct spool *spool, const struct spool_piece *piece,
			   struct spool_source *source, uint64_t offset)
{
	const struct segment *last = &spool->segments.at[spool->segments.count - 1];
	const struct loaded loaded = { .place = { last->number, offset },
				       .batch = piece->batch,
				       .flow = piece->flow,
				       .size = flow__size(piece->batch),
				       .origin = piece->origin };

	if (spool->ready_bytes + peat_batch__bytes(piece->batch) >
		    spool->opts.limits.memory_bytes ||
	    spool__add_loaded(spool, &loaded))
		return;
	note_numbers(spool, source, piece->batch, &piece->origin);
	spool->unread = (struct place){ last->number, last->bytes };
}

int spool__put(struct spool *spool, const struct spool_piece *piece)
{
	struct spool_source *source =
		spool__source(spool, peat_batch__source(piece->batch), piece->flow);
	bool is_read = spool__is_read(spool);
	int err = source ? make_room(spool, piece->count) : -ENOMEM;

	err = err ?: append_dropping(spool, piece);
	if (!err) {
		const struct segment *last = &spool->segments.at[spool->segments.count - 1];

		atomic_fetch_add(&piece->flow->spooled, flow__size(piece->batch));
		if (is_read)
			keep_in_memory(spool, piece, source, last->bytes - piece->count);
	}
	publish(spool);
	return err;
}

/* ---- the output ------------------------------------------------------------------------------ */

static struct loaded *find_ready(struct spool *spool)
{
	struct loaded *piece = spool->first;

	while (piece && piece->state != LOADED_READY)
		piece = piece->next;
	return piece;
}

struct peat_batch *spool__next(struct spool *spool)
{
	struct loaded *piece;

	/* The file of settled places has room for all of these. */
	if (spool->busy + former_left(spool, NULL) >= SETTLED_MAX)
		return NULL;
	piece = find_ready(spool);
	if (!piece) {
		spool__load(spool);
		piece = find_ready(spool);
		remove_settled(spool); /* segments without a piece */
		publish(spool);
	}
	if (!piece)
		return NULL;
	set_state(spool, piece, LOADED_UNDER_WAY);
	return piece->batch;
}

static struct loaded *find_under_way(struct spool *spool, const struct peat_batch *batch)
{
	struct loaded *piece = spool->first;
	uint32_t left = spool->busy;

	for (; left && piece; piece = piece->next) {
		left -= piece->state != LOADED_READY;
		if (piece->state == LOADED_UNDER_WAY && piece->batch == batch)
			return piece;
	}
	return NULL;
}

bool spool__origin(struct spool *spool, const struct peat_batch *batch, struct peat_origin *origin)
{
	const struct loaded *piece = find_under_way(spool, batch);

	if (piece)
		*origin = piece->origin;
	return piece;
}

void spool__skip_numbers(struct spool *spool, const struct peat_batch *batch,
			 const struct peat_origin *origin, struct flow *flow)
{
	struct spool_source *source = spool__source(spool, peat_batch__source(batch), flow);

	if (source && spool__is_read(spool))
		note_numbers(spool, source, batch, origin);
}

void spool__put_back(struct spool *spool, const struct peat_batch *batch)
{
	struct loaded *piece = find_under_way(spool, batch);

	if (piece)
		set_state(spool, piece, LOADED_READY);
}

void spool__put_all_back(struct spool *spool)
{
	for (struct loaded *piece = spool->first; piece; piece = piece->next)
		if (piece->state == LOADED_UNDER_WAY)
			set_state(spool, piece, LOADED_READY);
}

bool spool__settle(struct spool *spool, const struct peat_batch *batch, uint64_t refused)
{
	struct loaded *piece = find_under_way(spool, batch);

	if (!piece)
		return false;
	refused = refused < piece->size ? refused : piece->size;
	flow__unspool(piece->flow, piece->size, &piece->flow->spool.refused, refused);
	atomic_fetch_add(&piece->flow->spool.acknowledged, piece->size - refused);
	if (piece->is_former) {
		atomic_fetch_add(&piece->flow->former.refused, refused);
		atomic_fetch_add(&piece->flow->former.acknowledged, piece->size - refused);
	}
	piece->state = LOADED_SETTLED;
	peat_batch__unref(piece->batch);
	piece->batch = NULL;
	while (spool->first && spool->first->state == LOADED_SETTLED)
		spool__free_loaded(spool, &spool->first);
	spool__is_read(spool);
	spool__write_settled(spool);
	remove_settled(spool);
	publish(spool);
	return true;
}
