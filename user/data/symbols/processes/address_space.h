/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/processes/address_space.h: the mappings of one program image, by time.  Pure.
 *
 * An image begins with an exec or a fork.  The present mappings are in a tree; the child of a fork
 * shares the tree of its parent until one of them changes.  Events may be older than the newest
 * mapping, so the parts that were replaced last are kept, too.
 *
 * Records may be in any order of time.  Each costs a time that grows with the logarithm of the
 * number of mappings.
 */
#ifndef PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H
#define PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H

#include "symbols/processes/part_tree.h"

/*
 * Parts of mappings of a space; the oldest are forgotten beyond this, since records do not tell
 * what is unmapped.  The kernel's default limit, vm.max_map_count, is about the same.
 */
#define ADDRESS_SPACE_PARTS_MAX 65536

/* Replaced parts that are kept for events older than their replacement. */
#define ADDRESS_SPACE_REPLACED_MAX 128 /* ARRAY_LEAST, doubled some times */

struct replaced_part {
	uint64_t begin, end;
	uint64_t until_ns; /* since then, another mapping is there */
	struct mapping mapping;
};

struct address_space {
	uint64_t since_ns;
	struct mapped_part *parts;
	uint32_t generation;	 /* of its own mappings; a fork inherits earlier ones */
	uint32_t replaced_count; /* in all; the last of them are kept */
	uint32_t replaced_room;
	struct replaced_part *replaced; /* a ring; NULL: none yet */
	uint64_t moves_left;		/* parts that records read late may still move or copy */
};

/*
 * Adds a mapping; takes its reference, also on failure.  Ignores an empty mapping.  0 or -ENOMEM.
 */
int address_space__add(struct address_space *space, struct mapped_files *files,
		       const struct mapping *mapping);

/* Adds a mapping to the addresses that have none, for a mapping of unknown time.  As above. */
int address_space__fill(struct address_space *space, struct mapped_files *files,
			const struct mapping *mapping);

/*
 * The mapping of an address at a time; the newest one if no mapping of that time is known.  NULL:
 * none.  Valid until the space changes.
 */
const struct mapping *address_space__find(const struct address_space *space, uint64_t time_ns,
					  uint64_t address);

/* Moves the mappings made at `time_ns` or later to `newer`, which is empty.  0 or -ENOMEM. */
int address_space__split(struct address_space *space, struct mapped_files *files, uint64_t time_ns,
			 struct address_space *newer);

/*
 * Gives the mappings of that time to the space of a child.  Mappings that the child has already
 * cover them.  0 or -ENOMEM.
 */
int address_space__inherit(struct address_space *child, struct mapped_files *files,
			   struct address_space *parent, uint64_t time_ns);

/* Removes all mappings. */
void address_space__clear(struct address_space *space, struct mapped_files *files);

#endif /* PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H */
