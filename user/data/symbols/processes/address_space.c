// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/address_space.c: the mappings of one program image, by time. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "symbols/processes/address_space.h"

/* A mapping whose record is read late is put below so many newer parts; each more is a move. */
#define LATE_PARTS_MAX 16

/*
 * A fork or exec that is read late moves mappings.  Each mapping pays for a few moves of a part, so
 * that records that move the same parts again and again do not take ever more time.
 */
#define MOVES_PER_MAPPING 4

static struct mapping_age own_age(const struct address_space *space, uint64_t since_ns)
{
	return (struct mapping_age){ since_ns, space->generation };
}

static bool pay_move(struct address_space *space)
{
	if (!space->moves_left)
		return false;
	space->moves_left--;
	return true;
}

/* ---- replaced parts -------------------------------------------------------------------------- */

static uint32_t count_kept(uint32_t replaced)
{
	return replaced < ADDRESS_SPACE_REPLACED_MAX ? replaced : ADDRESS_SPACE_REPLACED_MAX;
}

/* The i-th of the replaced parts that are kept, the one that was replaced first is 0. */
static const struct replaced_part *get_replaced(const struct address_space *space, uint32_t i)
{
	uint32_t first = space->replaced_count - count_kept(space->replaced_count);

	return &space->replaced[(first + i) % ADDRESS_SPACE_REPLACED_MAX];
}

/* The ring grows up to the maximum. */
static int reserve_replaced(struct address_space *space)
{
	if (space->replaced_room == ADDRESS_SPACE_REPLACED_MAX)
		return 0;
	return ARRAY_RESERVE(space->replaced, space->replaced_count, space->replaced_room)
		       ? 0
		       : -ENOMEM;
}

/* In a full ring, in place of the part that was replaced first. */
static int keep_replaced(struct address_space *space, struct mapped_files *files,
			 const struct replaced_part *replaced)
{
	if (reserve_replaced(space))
		return -ENOMEM;
	mapped_files__use(files, replaced->mapping.file);
	if (space->replaced_count >= ADDRESS_SPACE_REPLACED_MAX)
		mapped_files__put(files, get_replaced(space, 0)->mapping.file);
	space->replaced[space->replaced_count % ADDRESS_SPACE_REPLACED_MAX] = *replaced;
	/* The next slot stays the same. */
	if (++space->replaced_count == 2 * ADDRESS_SPACE_REPLACED_MAX)
		space->replaced_count = ADDRESS_SPACE_REPLACED_MAX;
	return 0;
}

struct replacement {
	struct address_space *space;
	struct mapped_files *files;
	uint64_t since_ns;
	uint32_t count;
	int err;
};

static int keep_part(void *arg, const struct mapped_part *part)
{
	struct replacement *by = arg;
	struct replaced_part kept = { part->begin, part->end, by->since_ns, part->mapping };

	/* An inherited part was there from the beginning. */
	if (part->generation != by->space->generation ||
	    kept.mapping.since_ns < by->space->since_ns)
		kept.mapping.since_ns = by->space->since_ns;
	by->err = keep_replaced(by->space, by->files, &kept);
	return by->err || ++by->count == ADDRESS_SPACE_REPLACED_MAX;
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* Removes the parts from `begin` to `end` without a trace. */
static int remove_parts(struct address_space *space, struct mapped_files *files, uint64_t begin,
			uint64_t end)
{
	struct mapped_part *removed;

	if (part_tree__replace(&space->parts, files, begin, end, NULL, &removed))
		return -ENOMEM;
	part_tree__put(removed, files);
	return 0;
}

/* A new part may add two: it can lie in the middle of another one. */
static int make_part_room(struct address_space *space, struct mapped_files *files)
{
	int err = 0;

	while (!err && part_tree__count(space->parts) + 2 > ADDRESS_SPACE_PARTS_MAX) {
		const struct mapped_part *oldest = part_tree__find_oldest(space->parts);

		err = remove_parts(space, files, oldest->begin, oldest->end);
	}
	return err;
}

/* Covers all parts from `begin` to `end`. */
static int cover(struct address_space *space, struct mapped_files *files,
		 const struct mapping *mapping, uint64_t begin, uint64_t end)
{
	struct replacement by = { space, files, mapping->since_ns, 0, 0 };
	struct mapped_part *part, *removed;

	if (make_part_room(space, files))
		return -ENOMEM;
	part = mapped_part__new(files, mapping, space->generation);
	if (!part)
		return -ENOMEM;
	if (part_tree__replace(&space->parts, files, begin, end, part, &removed)) {
		part_tree__put(part, files);
		return -ENOMEM;
	}
	part_tree__each(removed, keep_part, &by);
	part_tree__put(removed, files);
	return by.err;
}

/* A part of the mapping that a newer part covers from the beginning. */
static int keep_covered(struct address_space *space, struct mapped_files *files,
			const struct mapping *mapping, uint64_t begin, uint64_t end,
			uint64_t until_ns)
{
	struct replaced_part covered = { begin, end, until_ns, *mapping };

	return keep_replaced(space, files, &covered);
}

/*
 * Adds from *at to the next part that is newer, and below that part: there it is a replaced part if
 * `is_kept`.  Moves *at behind that part, or to the end.
 */
static int add_up_to(struct address_space *space, struct mapped_files *files,
		     const struct mapping *mapping, uint64_t last, uint64_t *at, bool is_kept)
{
	const struct mapped_part *newer =
		part_tree__find_newer(space->parts, *at, own_age(space, mapping->since_ns));
	uint64_t begin = newer && newer->begin < last ? newer->begin : last;
	uint64_t end = newer && newer->end < last ? newer->end : last;
	uint64_t until_ns = newer ? newer->mapping.since_ns : 0;
	int err = 0;

	if (begin > *at)
		err = cover(space, files, mapping, *at, begin);
	else
		begin = *at;
	if (!err && is_kept && begin < end && begin < last)
		err = keep_covered(space, files, mapping, begin, end, until_ns);
	*at = end;
	return err;
}

/* Adds from `begin` to `end`: above older parts, below newer ones. */
static int add_mapped_part(struct address_space *space, struct mapped_files *files,
			   const struct mapping *mapping, uint64_t begin, uint64_t end)
{
	int err = 0;

	for (int i = 0; !err && begin < end && (i < LATE_PARTS_MAX || pay_move(space)); i++)
		err = add_up_to(space, files, mapping, end, &begin, i < LATE_PARTS_MAX);
	return err;
}

int address_space__add(struct address_space *space, struct mapped_files *files,
		       const struct mapping *mapping)
{
	int err = add_mapped_part(space, files, mapping, mapping->begin, mapping->end);

	space->moves_left += MOVES_PER_MAPPING;
	mapped_files__put(files, mapping->file);
	return err;
}

int address_space__fill(struct address_space *space, struct mapped_files *files,
			const struct mapping *mapping)
{
	uint64_t at = mapping->begin;
	int err = 0;

	while (!err && at < mapping->end) {
		const struct mapped_part *next = part_tree__find(space->parts, at);
		uint64_t end = next && next->begin < mapping->end ? next->begin : mapping->end;
		uint64_t after = next && next->begin < mapping->end ? next->end : mapping->end;

		if (end > at)
			err = cover(space, files, mapping, at, end);
		at = after;
	}
	mapped_files__put(files, mapping->file);
	return err;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* NULL: none of that time is kept. */
static const struct mapping *find_replaced(const struct address_space *space, uint64_t time_ns,
					   uint64_t address)
{
	const struct mapping *found = NULL;

	for (uint32_t i = 0; i < count_kept(space->replaced_count); i++) {
		const struct replaced_part *kept = get_replaced(space, i);

		if (address >= kept->begin && address < kept->end &&
		    kept->mapping.since_ns <= time_ns &&
		    kept->mapping.since_ns >= space->since_ns &&
		    (!found || kept->mapping.since_ns >= found->since_ns))
			found = &kept->mapping;
	}
	return found;
}

const struct mapping *address_space__find(const struct address_space *space, uint64_t time_ns,
					  uint64_t address)
{
	const struct mapped_part *part = part_tree__find(space->parts, address);

	if (!part || part->begin > address)
		return NULL;
	if (!time_ns || part->mapping.since_ns <= time_ns || part->generation != space->generation)
		return &part->mapping;
	return find_replaced(space, time_ns, address) ?: &part->mapping;
}

/* ---- exec and fork --------------------------------------------------------------------------- */

/* Adds the replaced parts of another space again that were there at a time. */
static int restore(struct address_space *space, struct mapped_files *files, uint64_t time_ns,
		   const struct address_space *of, uint64_t *moves_left)
{
	int err = 0;

	for (uint32_t i = 0; i < count_kept(of->replaced_count) && !err && *moves_left; i++) {
		const struct replaced_part *replaced = get_replaced(of, i);

		if (replaced->mapping.since_ns > time_ns || replaced->until_ns <= time_ns)
			continue;
		err = add_mapped_part(space, files, &replaced->mapping, replaced->begin,
				      replaced->end);
		--*moves_left;
	}
	return err;
}

static int move_parts(struct address_space *space, struct mapped_files *files,
		      struct mapping_age last, struct address_space *newer)
{
	const struct mapped_part *part = part_tree__find_newer(space->parts, 0, last);
	int err = 0;

	for (; part && !err && space->moves_left; space->moves_left--) {
		const uint64_t begin = part->begin, end = part->end;

		err = add_mapped_part(newer, files, &part->mapping, begin, end);
		if (!err)
			err = remove_parts(space, files, begin, end);
		part = part_tree__find_newer(space->parts, end, last);
	}
	return err;
}

int address_space__split(struct address_space *space, struct mapped_files *files, uint64_t time_ns,
			 struct address_space *newer)
{
	const struct mapping_age last = own_age(space, time_ns - 1);
	int err = 0;

	if (!space->parts || !mapping_age__is_newer(space->parts->newest, last))
		return 0;
	newer->generation = space->generation;
	newer->replaced = space->replaced;
	newer->replaced_count = space->replaced_count;
	newer->replaced_room = space->replaced_room;
	space->replaced = NULL;
	space->replaced_count = space->replaced_room = 0;
	if (mapping_age__is_newer(space->parts->oldest, last)) {
		newer->parts = space->parts;
		space->parts = NULL;
	} else {
		err = move_parts(space, files, last, newer);
	}
	if (!err)
		err = restore(space, files, time_ns - 1, newer, &space->moves_left);
	newer->moves_left = space->moves_left / 2;
	space->moves_left -= newer->moves_left;
	return err;
}

struct inheritance {
	struct address_space *child;
	struct mapped_files *files;
	int err;
};

static int add_own_part(void *arg, const struct mapped_part *part)
{
	struct inheritance *to = arg;

	to->err = add_mapped_part(to->child, to->files, &part->mapping, part->begin, part->end);
	return to->err;
}

int address_space__inherit(struct address_space *child, struct mapped_files *files,
			   struct address_space *parent, uint64_t time_ns)
{
	struct inheritance to = { child, files, 0 };
	struct mapped_part *own = child->parts;

	if (!parent->parts || part_tree__count(own) > child->moves_left)
		return 0;
	child->moves_left -= part_tree__count(own);
	child->parts = part_tree__use(parent->parts);
	child->generation = parent->generation + 1;
	if (time_ns && mapping_age__is_newer(parent->parts->newest, own_age(parent, time_ns)))
		to.err = restore(child, files, time_ns, parent, &parent->moves_left);
	if (!to.err)
		part_tree__each(own, add_own_part, &to);
	part_tree__put(own, files);
	return to.err;
}

void address_space__clear(struct address_space *space, struct mapped_files *files)
{
	part_tree__put(space->parts, files);
	for (uint32_t i = 0; i < count_kept(space->replaced_count); i++)
		mapped_files__put(files, space->replaced[i].mapping.file);
	free(space->replaced);
	*space = (struct address_space){ .since_ns = space->since_ns };
}
