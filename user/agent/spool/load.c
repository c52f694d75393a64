// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/load.c: reads pieces from disk in their order, and passes those that are not wanted. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "spool/parts.h"

/* ---- loaded pieces --------------------------------------------------------------------------- */

int spool__add_loaded(struct spool *spool, const struct loaded *piece)
{
	struct loaded *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *piece;
	copy->next = NULL;
	peat_batch__ref(copy->batch);
	*spool->last = copy;
	spool->last = &copy->next;
	spool->ready_bytes += peat_batch__bytes(copy->batch);
	return 0;
}

void spool__free_loaded(struct spool *spool, struct loaded **link)
{
	struct loaded *piece = *link;

	*link = piece->next;
	if (!*link)
		spool->last = link;
	if (piece->state == LOADED_READY)
		spool->ready_bytes -= peat_batch__bytes(piece->batch);
	else
		spool->busy--;
	peat_batch__unref(piece->batch);
	free(piece);
}

static bool is_on_disk(const struct spool *spool, struct place place)
{
	const struct segment *segment = segments__find(&spool->segments, place.segment);

	return segment && segment->number == place.segment;
}

void spool__forget(struct spool *spool)
{
	struct loaded **kept = &spool->first;

	for (struct loaded *piece = spool->first; piece; piece = piece->next)
		if (piece->state != LOADED_READY || piece->is_decoded ||
		    !is_on_disk(spool, piece->place))
			kept = &piece->next;
	if (*kept)
		spool->unread = (*kept)->place;
	while (*kept)
		spool__free_loaded(spool, kept);
}

/* ---- sources --------------------------------------------------------------------------------- */

struct spool_source *spool__source(struct spool *spool, const char *name, struct flow *flow)
{
	struct spool_source source = { .flow = flow };

	for (size_t i = 0; i < spool->source_count; i++)
		if (!strcmp(spool->sources[i].name, name))
			return &spool->sources[i];
	if (!flow)
		source.flow = spool->opts.find_flow(spool->opts.arg, name, true);
	if (!source.flow || !ARRAY_RESERVE_NEXT(spool->sources, spool->source_count))
		return NULL;
	source.name = strdup(name);
	if (!source.name)
		return NULL;
	spool->sources[spool->source_count] = source;
	ends__continue(spool, &source);
	return &spool->sources[spool->source_count++];
}

/* Events that were in damaged pieces: those of other runs are not in the flow yet. */
static void count_lost(struct spool *spool, struct spool_source *source, bool is_former,
		       uint64_t events)
{
	spool->own.lost += events;
	if (is_former) {
		atomic_fetch_add(&source->flow->offered, events);
		atomic_fetch_add(&source->flow->former.offered, events);
		atomic_fetch_add(&source->flow->former.dropped, events);
	}
	flow__unspool(source->flow, is_former ? 0 : events, &source->flow->dropped, events);
}

void spool__note_number(struct spool *spool, struct spool_source *source,
			const struct piece_info *info)
{
	if (source->run == info->run && source->next && info->first > source->next)
		count_lost(spool, source, info->run != spool->opts.run, info->first - source->next);
	source->run = info->run;
	source->next = info->first + info->events;
}

/* ---- places ---------------------------------------------------------------------------------- */

bool spool__is_read(struct spool *spool)
{
	for (;;) {
		const struct segment *segment =
			segments__find(&spool->segments, spool->unread.segment);

		if (!segment)
			return true;
		if (segment->number > spool->unread.segment)
			spool->unread = (struct place){ segment->number, 0 };
		if (spool->unread.offset < segment->bytes)
			return false;
		if (segment == &spool->segments.at[spool->segments.count - 1])
			return true;
		spool->unread = (struct place){ segment[1].number, 0 };
	}
}

static bool is_settled(const struct spool *spool, struct place place)
{
	for (uint32_t i = 0; i < spool->former.count; i++)
		if (spool->former.at[i].segment == place.segment &&
		    spool->former.at[i].offset == place.offset)
			return true;
	return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void note_damage(struct spool *spool, uint64_t bytes)
{
	if (bytes)
		log__warn(
			"spool %s: %llu bytes of segment %llu are no whole batch: torn or damaged",
			spool->segments.path, (unsigned long long)bytes,
			(unsigned long long)spool->unread.segment);
	spool->own.damaged_bytes += bytes;
}

static int open_reader(struct spool *spool, uint64_t segment)
{
	int fd;

	if (spool->reader.fd >= 0 && spool->reader_segment == segment)
		return 0;
	fd = segments__read(&spool->segments, segment);
	if (fd < 0)
		return fd;
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	piece_reader__open(&spool->reader, fd);
	spool->reader_segment = segment;
	return 0;
}

/* Logs the first error of several. */
static int note_error(struct spool *spool, uint64_t segment, int err)
{
	if (err && err != spool->read_err)
		log__warn("spool %s: cannot read segment %llu: %s", spool->segments.path,
			  (unsigned long long)segment, strerror(-err));
	spool->read_err = err;
	spool->own.errors += err != 0;
	return err;
}

/*
 * Finds the next piece in the segment of `unread`, which then is the piece's end.  1; 0: there is
 * none, `unread` is the end of the segment, also if the disk has lost it; or a negative errno: try
 * later.
 */
static int find_piece(struct spool *spool, struct found_piece *found)
{
	const struct segment *segment = segments__find(&spool->segments, spool->unread.segment);
	int err = open_reader(spool, segment->number), is_found = 0;

	if (!err)
		is_found = piece_reader__next(&spool->reader, spool->unread.offset, segment->bytes,
					      found);
	err = note_error(spool, segment->number, is_found < 0 ? is_found : err);
	if (err && err != -EIO && err != -ENOENT)
		return err;
	if (err) {
		found->skipped = segment->bytes - spool->unread.offset;
		is_found = 0;
	}
	note_damage(spool, found->skipped);
	spool->unread.offset = is_found ? found->offset + found->count : segment->bytes;
	return is_found;
}

/* The piece that was found is the next one again.  Needs no memory. */
static int retry(struct spool *spool, const struct found_piece *found)
{
	spool->unread.offset = found->offset;
	return -ENOMEM;
}

/* Describes the piece that ends at `unread`.  0 or -ENOMEM. */
static int take_piece(struct spool *spool, const struct found_piece *found, struct loaded *piece)
{
	struct spool_source *source = spool__source(spool, found->info.source, NULL);

	if (!source)
		return retry(spool, found);
	*piece = (struct loaded){ .place = { spool->unread.segment, found->offset },
				  .flow = source->flow,
				  .size = found->info.events + found->info.points,
				  .origin = { .sz = sizeof(piece->origin),
					      .run = found->info.run,
					      .number = found->info.number,
					      .first = found->info.first },
				  .is_former = found->info.run != spool->opts.run,
				  .is_decoded = true };
	spool__note_number(spool, source, &found->info);
	return 0;
}

static void count_former(const struct loaded *piece)
{
	if (!piece->is_former)
		return;
	atomic_fetch_add(&piece->flow->offered, piece->size);
	atomic_fetch_add(&piece->flow->former.offered, piece->size);
	atomic_fetch_add(&piece->flow->spooled, piece->size);
}

static void count_dropped(const struct loaded *piece, atomic_uint_fast64_t *dropped)
{
	flow__unspool(piece->flow, piece->size, dropped, piece->size);
	if (piece->is_former)
		atomic_fetch_add(&piece->flow->former.dropped, piece->size);
}

void spool__count_dropped(const struct loaded *piece)
{
	count_dropped(piece, &piece->flow->spool.dropped);
}

static int decode(struct spool *spool, const struct found_piece *found, struct loaded *piece)
{
	struct piece_info info;
	int err;

	piece->batch = spool->opts.decode(found->bytes, found->count, PIECE_BYTES_MAX, &info);
	err = piece->batch ? spool__add_loaded(spool, piece) : -errno;
	peat_batch__unref(piece->batch);
	return err;
}

/*
 * A whole piece that is none: of another version of this program, or damaged before it was written.
 * The next process finds it again: the file of settled pieces does not count it.
 */
static void drop_piece(struct spool *spool, const struct found_piece *found,
		       const struct loaded *piece, int err)
{
	log__warn("spool %s: a batch of segment %llu cannot be decoded: %s", spool->segments.path,
		  (unsigned long long)piece->place.segment, strerror(-err));
	count_dropped(piece, &piece->flow->dropped);
	spool->own.damaged_bytes += found->count;
	spool->own.lost += piece->size;
}

/* 1: loaded; 0: passed; or a negative errno: try later. */
static int load_piece(struct spool *spool)
{
	struct found_piece found;
	struct loaded piece;
	int err = find_piece(spool, &found);

	if (err <= 0)
		return err;
	err = take_piece(spool, &found, &piece);
	if (err || is_settled(spool, piece.place))
		return err;
	err = decode(spool, &found, &piece);
	if (err == -ENOMEM)
		return retry(spool, &found);
	count_former(&piece);
	if (err)
		drop_piece(spool, &found, &piece, err);
	return !err;
}

int spool__load(struct spool *spool)
{
	int err = 0;

	while (!err && !spool__is_read(spool))
		err = load_piece(spool);
	return err;
}

/* ---- dropping -------------------------------------------------------------------------------- */

static void drop_loaded(struct spool *spool, uint64_t segment)
{
	struct loaded **link = &spool->first;

	while (*link && (*link)->place.segment <= segment) {
		if ((*link)->state != LOADED_READY) {
			link = &(*link)->next;
			continue;
		}
		spool__count_dropped(*link);
		spool__free_loaded(spool, link);
	}
}

static int drop_unread(struct spool *spool, uint64_t segment)
{
	while (!spool__is_read(spool) && spool->unread.segment == segment) {
		struct found_piece found;
		struct loaded piece;
		int is_found = find_piece(spool, &found), err;

		if (is_found <= 0)
			return is_found;
		err = take_piece(spool, &found, &piece);
		if (err)
			return err;
		if (is_settled(spool, piece.place))
			continue;
		count_former(&piece);
		spool__count_dropped(&piece);
	}
	return 0;
}

/* First the counts, then the segment: a process that is killed in between has dropped it. */
static int remove_dropped(struct spool *spool, uint64_t number)
{
	spool->kept_from = number + 1;
	spool__write_settled(spool);
	return segments__remove_first(&spool->segments);
}

int spool__drop_first(struct spool *spool)
{
	struct segments *segments = &spool->segments;
	uint64_t number;
	int err;

	if (!segments->count)
		return -ENOSPC;
	if (segments->count == 1)
		segments__end(segments, false);
	if (!segments->count)
		return 0;
	number = segments->at[0].number;
	drop_loaded(spool, number);
	err = drop_unread(spool, number);
	if (err)
		return err;
	if (spool->unread.segment <= number)
		spool->unread = (struct place){ number + 1, 0 };
	return remove_dropped(spool, number);
}
