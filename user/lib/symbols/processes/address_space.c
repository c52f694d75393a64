// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/address_space.c: the mappings of one program image, by time. */
#include <stdlib.h>

#include "base/internal.h"
#include "symbols/processes/address_space.h"

#define LOG_ROOM_MIN 16

/* Replaced mappings that are kept, at least, for events older than their replacement. */
#define REPLACED_MIN 64

/* ---- parts ----------------------------------------------------------------------------------- */

/* The index of the first part that ends after the address. */
static uint32_t find_part(const struct address_space *space, uint64_t address)
{
	uint32_t low = 0, high = space->parts_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (space->parts[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int reserve_parts(struct address_space *space, uint32_t count)
{
	uint32_t room = space->parts_room ? space->parts_room : LOG_ROOM_MIN;
	struct mapped_part *parts;

	if (count <= space->parts_room)
		return 0;
	while (room < count)
		room *= 2;
	parts = reallocarray(space->parts, room, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	space->parts = parts;
	space->parts_room = room;
	return 0;
}

static void replace_parts(struct address_space *space, uint32_t at, uint32_t removed,
			  const struct mapped_part *by, uint32_t count)
{
	struct mapped_part *parts = space->parts;

	memmove(parts + at + count, parts + at + removed,
		(space->parts_count - at - removed) * sizeof(*parts));
	memcpy(parts + at, by, count * sizeof(*parts));
	space->parts_count += count - removed;
}

/* The new part covers others; the rests of the first and the last of them remain. */
static int cover_parts(struct address_space *space, const struct mapped_part *part)
{
	uint32_t first = find_part(space, part->begin), last = first, count = 0;
	struct mapped_part by[3];

	if (reserve_parts(space, space->parts_count + 2))
		return -ENOMEM;
	if (first < space->parts_count && space->parts[first].begin < part->begin) {
		by[count] = space->parts[first];
		by[count++].end = part->begin;
	}
	by[count++] = *part;
	while (last < space->parts_count && space->parts[last].begin < part->end)
		last++;
	if (last > first && space->parts[last - 1].end > part->end) {
		by[count] = space->parts[last - 1];
		by[count++].begin = part->end;
	}
	replace_parts(space, first, last - first, by, count);
	return 0;
}

static int add_part(struct address_space *space, uint32_t entry)
{
	const struct mapping *mapping = &space->log[entry];

	return cover_parts(space, &(struct mapped_part){ mapping->begin, mapping->end, entry });
}

/* Makes the parts anew if the log has changed other than at its end. */
static int refresh_parts(struct address_space *space)
{
	int err = 0;

	if (!space->is_stale)
		return 0;
	space->parts_count = 0;
	for (uint32_t i = 0; i < space->log_count && !err; i++)
		err = add_part(space, i);
	space->is_stale = err;
	return err;
}

/* ---- the log --------------------------------------------------------------------------------- */

/*
 * Marks the entries that are kept: with parts, or the newest REPLACED_MIN of the others.  A log
 * that is too long loses its oldest quarter.
 */
static uint32_t choose_kept(const struct address_space *space, bool *is_kept)
{
	uint32_t first = space->log_count < ADDRESS_SPACE_LOG_MAX ? 0 : space->log_count / 4;
	uint32_t kept = 0, replaced = 0;

	for (uint32_t i = 0; i < space->parts_count; i++)
		is_kept[space->parts[i].entry] = space->parts[i].entry >= first;
	for (uint32_t i = space->log_count; i--;) {
		if (!is_kept[i] && i >= first && replaced < REPLACED_MIN) {
			is_kept[i] = true;
			replaced++;
		}
		kept += is_kept[i];
	}
	return kept;
}

static void drop_entries(struct address_space *space, struct mapped_files *files,
			 const bool *is_kept)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < space->log_count; i++) {
		if (is_kept[i])
			space->log[kept++] = space->log[i];
		else
			mapped_files__put(files, space->log[i].file);
	}
	space->log_count = kept;
	space->is_stale = true;
}

/* Drops old mappings from a full log, if that frees at least a quarter of it. */
static int compact(struct address_space *space, struct mapped_files *files)
{
	bool *is_kept;

	if (refresh_parts(space))
		return -ENOMEM;
	is_kept = calloc(space->log_count, sizeof(*is_kept));
	if (!is_kept)
		return -ENOMEM;
	if (choose_kept(space, is_kept) <= space->log_count - space->log_count / 4)
		drop_entries(space, files, is_kept);
	free(is_kept);
	return 0;
}

static int reserve_log(struct address_space *space, uint32_t count)
{
	uint32_t room = space->log_room ? space->log_room : LOG_ROOM_MIN;
	struct mapping *log;

	if (count <= space->log_room)
		return 0;
	while (room < count)
		room *= 2;
	log = reallocarray(space->log, room, sizeof(*log));
	if (!log)
		return -ENOMEM;
	space->log = log;
	space->log_room = room;
	return 0;
}

static int make_room(struct address_space *space, struct mapped_files *files)
{
	if (space->log_count < space->log_room)
		return 0;
	if (space->log_count > 2 * REPLACED_MIN && compact(space, files))
		return -ENOMEM;
	return reserve_log(space, space->log_count + 1);
}

/* Stores the mapping after those of its time and before newer ones. */
static int insert(struct address_space *space, const struct mapping *mapping)
{
	uint32_t at = space->log_count;

	while (at && space->log[at - 1].since_ns > mapping->since_ns)
		at--;
	memmove(&space->log[at + 1], &space->log[at],
		(space->log_count - at) * sizeof(*space->log));
	space->log[at] = *mapping;
	space->log_count++;
	if (at + 1 < space->log_count)
		space->is_stale = true;
	return space->is_stale ? 0 : add_part(space, at);
}

int address_space__add(struct address_space *space, struct mapped_files *files,
		       const struct mapping *mapping)
{
	if (mapping->end <= mapping->begin) {
		mapped_files__put(files, mapping->file);
		return 0;
	}
	if (make_room(space, files)) {
		mapped_files__put(files, mapping->file);
		return -ENOMEM;
	}
	return insert(space, mapping);
}

static int fill_gap(struct address_space *space, struct mapped_files *files,
		    const struct mapping *mapping, uint64_t begin, uint64_t end)
{
	struct mapping part = *mapping;

	part.begin = begin;
	part.end = end;
	part.pgoff += begin - mapping->begin;
	mapped_file__use(part.file);
	return address_space__add(space, files, &part);
}

int address_space__fill(struct address_space *space, struct mapped_files *files,
			const struct mapping *mapping)
{
	uint64_t at = mapping->begin;
	int err = refresh_parts(space);

	while (!err && at < mapping->end) {
		uint32_t i = find_part(space, at);
		const struct mapped_part *next = i < space->parts_count ? &space->parts[i] : NULL;
		uint64_t end = next && next->begin < mapping->end ? next->begin : mapping->end;
		uint64_t after = next && next->begin < mapping->end ? next->end : mapping->end;

		if (end > at)
			err = fill_gap(space, files, mapping, at, end);
		if (!err)
			err = refresh_parts(space);
		at = after;
	}
	mapped_files__put(files, mapping->file);
	return err;
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool covers(const struct mapping *mapping, uint64_t address)
{
	return address >= mapping->begin && address < mapping->end;
}

const struct mapping *address_space__find(struct address_space *space, uint64_t time_ns,
					  uint64_t address)
{
	const struct mapping *newest;
	uint32_t at;

	if (refresh_parts(space))
		return NULL;
	at = find_part(space, address);
	if (at == space->parts_count || space->parts[at].begin > address)
		return NULL;
	newest = &space->log[space->parts[at].entry];
	if (!time_ns || newest->since_ns <= time_ns)
		return newest;
	for (uint32_t i = space->parts[at].entry; i--;)
		if (space->log[i].since_ns <= time_ns && covers(&space->log[i], address))
			return &space->log[i];
	return newest;
}

int address_space__split(struct address_space *space, uint64_t time_ns, struct address_space *newer)
{
	uint32_t first = space->log_count;

	while (first && space->log[first - 1].since_ns >= time_ns)
		first--;
	if (first == space->log_count)
		return 0;
	if (reserve_log(newer, space->log_count - first))
		return -ENOMEM;
	newer->log_count = space->log_count - first;
	memcpy(newer->log, &space->log[first], newer->log_count * sizeof(*newer->log));
	space->log_count = first;
	newer->is_stale = space->is_stale = true;
	return 0;
}

static int copy_mapping(struct address_space *copy, struct mapped_files *files,
			const struct mapping *mapping)
{
	struct mapping copied = *mapping;

	copied.since_ns = copy->since_ns;
	mapped_file__use(copied.file);
	return address_space__add(copy, files, &copied);
}

static int copy_part(struct address_space *copy, struct mapped_files *files,
		     const struct mapped_part *part, const struct mapping *mapping)
{
	struct mapping copied = *mapping;

	copied.begin = part->begin;
	copied.end = part->end;
	copied.pgoff += part->begin - mapping->begin;
	return copy_mapping(copy, files, &copied);
}

int address_space__copy(struct address_space *space, struct mapped_files *files, uint64_t time_ns,
			struct address_space *copy)
{
	uint32_t count = space->log_count;
	int err = refresh_parts(space);

	if (!time_ns || !count || space->log[count - 1].since_ns <= time_ns) {
		for (uint32_t i = 0; i < space->parts_count && !err; i++)
			err = copy_part(copy, files, &space->parts[i],
					&space->log[space->parts[i].entry]);
		return err;
	}
	for (uint32_t i = 0; i < count && !err && space->log[i].since_ns <= time_ns; i++)
		err = copy_mapping(copy, files, &space->log[i]);
	return err;
}

void address_space__clear(struct address_space *space, struct mapped_files *files)
{
	for (uint32_t i = 0; i < space->log_count; i++)
		mapped_files__put(files, space->log[i].file);
	free(space->log);
	free(space->parts);
	*space = (struct address_space){ .since_ns = space->since_ns };
}
