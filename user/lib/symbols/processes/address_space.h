/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/processes/address_space.h: the mappings of one program image, by time.  Pure.
 *
 * An image begins with an exec or a fork.  Its mappings are a log, sorted by time; mappings
 * replaced by newer ones stay in the log, since events may be older than the newest mapping.  An
 * index of the present mappings is made from the log.
 */
#ifndef PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H
#define PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H

#include "symbols/processes/mapped_file.h"

/*
 * Mappings of a space; the oldest are forgotten beyond this, since records do not tell what is
 * unmapped.  The kernel's default limit, vm.max_map_count, is about the same.
 */
#define ADDRESS_SPACE_LOG_MAX 65536

struct mapping {
	uint64_t begin, end, pgoff;
	uint64_t since_ns;
	struct mapped_file *file; /* the mapping has a reference */
};

/* A part of mapping `entry` that no newer mapping covers. */
struct mapped_part {
	uint64_t begin, end;
	uint32_t entry;
};

struct address_space {
	uint64_t since_ns;
	struct mapping *log;
	uint32_t log_count, log_room;
	struct mapped_part *parts; /* sorted, not overlapping */
	uint32_t parts_count, parts_room;
	bool is_stale; /* `parts` are not those of the log */
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
const struct mapping *address_space__find(struct address_space *space, uint64_t time_ns,
					  uint64_t address);

/* Moves the mappings made at `time_ns` or later to `newer`, which is empty.  0 or -ENOMEM. */
int address_space__split(struct address_space *space, uint64_t time_ns,
			 struct address_space *newer);

/* Adds all mappings of that time to `copy`, as of since_ns of the copy.  0 or -ENOMEM. */
int address_space__copy(struct address_space *space, struct mapped_files *files, uint64_t time_ns,
			struct address_space *copy);

/* Removes all mappings. */
void address_space__clear(struct address_space *space, struct mapped_files *files);

#endif /* PEAT_SYMBOLS_PROCESSES_ADDRESS_SPACE_H */
