/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/processes/part_tree.h: the mapped parts of an address space, in a tree that forks share.
 * Pure.
 *
 * The parts are sorted by address and do not overlap.  A fork shares the whole tree: the root gets
 * another reference.  A change copies only the shared parts on the path to its place, so that
 * each change costs a time and a memory that grow with the logarithm of the number of parts.
 *
 * The tree is a treap: a part has a random priority, which is at least that of the parts below it.
 * So the tree is balanced whatever addresses a process maps, since nobody can guess priorities.
 *
 * Functions that may fail with -ENOMEM leave the same mappings in the tree then.
 */
#ifndef PEAT_SYMBOLS_PROCESSES_PART_TREE_H
#define PEAT_SYMBOLS_PROCESSES_PART_TREE_H

#include "symbols/processes/mapped_file.h"

struct mapping {
	uint64_t begin, end, pgoff;
	uint64_t since_ns;
	struct mapped_file *file; /* the mapping has a reference */
};

/* Mappings of an earlier generation, inherited by forks, are older whatever their time. */
struct mapping_age {
	uint64_t since_ns;
	uint32_t generation;
};

/* A part of a mapping that no newer mapping covers. */
struct mapped_part {
	uint64_t begin, end;
	struct mapped_part *left, *right;
	uint32_t uses; /* trees and parts that refer to it */
	uint32_t priority;
	uint32_t count; /* parts from here on: of this part and the parts below it */
	uint32_t generation;
	struct mapping mapping;
	struct mapping_age oldest, newest; /* from here on */
};

static inline bool mapping_age__is_newer(struct mapping_age a, struct mapping_age b)
{
	return a.generation != b.generation ? a.generation > b.generation : a.since_ns > b.since_ns;
}

static inline struct mapping_age mapped_part__age(const struct mapped_part *part)
{
	return (struct mapping_age){ part->mapping.since_ns, part->generation };
}

static inline uint32_t part_tree__count(const struct mapped_part *root)
{
	return root ? root->count : 0;
}

/* Shares the tree.  NULL is an empty tree, here and elsewhere. */
static inline struct mapped_part *part_tree__use(struct mapped_part *root)
{
	if (root)
		root->uses++;
	return root;
}

/* Drops a reference to a tree, and the references to files of parts that are freed with it. */
void part_tree__put(struct mapped_part *root, struct mapped_files *files);

/* The first part that ends after the address.  NULL: none. */
const struct mapped_part *part_tree__find(const struct mapped_part *root, uint64_t address);

/* The first part that ends after the address and is newer than that age.  NULL: none. */
const struct mapped_part *part_tree__find_newer(const struct mapped_part *root, uint64_t address,
						struct mapping_age age);

/* The oldest part of a tree that is not empty. */
const struct mapped_part *part_tree__find_oldest(const struct mapped_part *root);

/* A part for part_tree__replace(), with a reference to the mapping's file.  NULL: no memory. */
struct mapped_part *mapped_part__new(struct mapped_files *files, const struct mapping *mapping,
				     uint32_t generation);

/*
 * Replaces the parts from `begin` to `end`, and what of other parts is there, by `part`, which
 * becomes that long, or by nothing if it is NULL.  `*removed` is the tree of the replaced parts.
 * 0, or -ENOMEM: `part` still belongs to the caller.
 */
int part_tree__replace(struct mapped_part **root, struct mapped_files *files, uint64_t begin,
		       uint64_t end, struct mapped_part *part, struct mapped_part **removed);

/* Calls `visit` for each part in the order of addresses, up to a result that is not 0. */
int part_tree__each(const struct mapped_part *root,
		    int (*visit)(void *arg, const struct mapped_part *part), void *arg);

#endif /* PEAT_SYMBOLS_PROCESSES_PART_TREE_H */
