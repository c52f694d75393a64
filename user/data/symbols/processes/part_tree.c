// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/part_tree.c: the mapped parts of an address space, in a tree that forks share.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/sip_hash.h"
#include "symbols/processes/part_tree.h"

/* ---- parts ----------------------------------------------------------------------------------- */

static struct mapping_age older_of(struct mapping_age a, struct mapping_age b)
{
	return mapping_age__is_newer(a, b) ? b : a;
}

static struct mapping_age newer_of(struct mapping_age a, struct mapping_age b)
{
	return mapping_age__is_newer(a, b) ? a : b;
}

/* Updates the fields that describe the parts below it, too. */
static void update(struct mapped_part *part)
{
	const struct mapped_part *below[] = { part->left, part->right };

	part->count = 1;
	part->oldest = part->newest = mapped_part__age(part);
	for (int i = 0; i < 2; i++) {
		if (!below[i])
			continue;
		part->count += below[i]->count;
		part->oldest = older_of(part->oldest, below[i]->oldest);
		part->newest = newer_of(part->newest, below[i]->newest);
	}
}

/* A random number that its address chooses by the seed of this process. */
static uint32_t choose_priority(const struct mapped_part *part)
{
	return (uint32_t)sip_hash__key(&part, sizeof(part));
}

struct mapped_part *mapped_part__new(struct mapped_files *files, const struct mapping *mapping,
				     uint32_t generation)
{
	struct mapped_part *part = malloc(sizeof(*part));

	if (!part)
		return NULL;
	*part = (struct mapped_part){
		.begin = mapping->begin,
		.end = mapping->end,
		.uses = 1,
		.priority = choose_priority(part),
		.generation = generation,
		.mapping = *mapping,
	};
	mapped_files__use(files, mapping->file);
	update(part);
	return part;
}

void part_tree__put(struct mapped_part *root, struct mapped_files *files)
{
	if (!root || --root->uses)
		return;
	part_tree__put(root->left, files);
	part_tree__put(root->right, files);
	mapped_files__put(files, root->mapping.file);
	free(root);
}

/* ---- finding --------------------------------------------------------------------------------- */

const struct mapped_part *part_tree__find(const struct mapped_part *root, uint64_t address)
{
	const struct mapped_part *found = NULL;

	while (root) {
		if (root->end > address) {
			found = root;
			root = root->left;
		} else {
			root = root->right;
		}
	}
	return found;
}

const struct mapped_part *part_tree__find_newer(const struct mapped_part *root, uint64_t address,
						struct mapping_age age)
{
	const struct mapped_part *found;

	while (root && mapping_age__is_newer(root->newest, age)) {
		if (root->end > address) {
			found = part_tree__find_newer(root->left, address, age);
			if (found)
				return found;
			if (mapping_age__is_newer(mapped_part__age(root), age))
				return root;
		}
		root = root->right;
	}
	return NULL;
}

const struct mapped_part *part_tree__find_oldest(const struct mapped_part *root)
{
	const struct mapping_age oldest = root->oldest;

	while (mapping_age__is_newer(mapped_part__age(root), oldest))
		root = root->left && !mapping_age__is_newer(root->left->oldest, oldest)
			       ? root->left
			       : root->right;
	return root;
}

int part_tree__each(const struct mapped_part *root,
		    int (*visit)(void *arg, const struct mapped_part *part), void *arg)
{
	int result = 0;

	for (; root && !result; root = result ? NULL : root->right) {
		result = part_tree__each(root->left, visit, arg);
		if (!result)
			result = visit(arg, root);
	}
	return result;
}

/* ---- changes --------------------------------------------------------------------------------- */

static struct mapped_part *copy_part(struct mapped_part *part, struct mapped_files *files)
{
	struct mapped_part *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *part;
	copy->uses = 1;
	part_tree__use(copy->left);
	part_tree__use(copy->right);
	mapped_files__use(files, copy->mapping.file);
	return copy;
}

/* Copies the shared parts that lead to the first part that begins at the address or later. */
static int own_path(struct mapped_part **root, struct mapped_files *files, uint64_t address)
{
	while (*root) {
		if ((*root)->uses > 1) {
			struct mapped_part *copy = copy_part(*root, files);

			if (!copy)
				return -ENOMEM;
			(*root)->uses--;
			*root = copy;
		}
		root = (*root)->begin < address ? &(*root)->right : &(*root)->left;
	}
	return 0;
}

/* Parts that begin before the address, and the rest; the path to it is owned. */
static void split(struct mapped_part *root, uint64_t address, struct mapped_part **before,
		  struct mapped_part **rest)
{
	if (!root) {
		*before = *rest = NULL;
		return;
	}
	if (root->begin < address) {
		split(root->right, address, &root->right, rest);
		*before = root;
	} else {
		split(root->left, address, before, &root->left);
		*rest = root;
	}
	update(root);
}

/* Changes the last parts of `before` and the first parts of `after`, which are owned. */
static struct mapped_part *join(struct mapped_part *before, struct mapped_part *after)
{
	struct mapped_part *root = after;

	if (!before || !after)
		return before ?: after;
	if (before->priority >= after->priority) {
		before->right = join(before->right, after);
		root = before;
	} else {
		after->left = join(before, after->left);
	}
	update(root);
	return root;
}

/* Makes two parts of the part that the address lies in. */
static int cut(struct mapped_part **root, struct mapped_files *files, uint64_t address)
{
	const struct mapped_part *found = part_tree__find(*root, address);
	struct mapped_part *before, *rest, *after;

	if (!found || found->begin >= address)
		return 0;
	if (own_path(root, files, address))
		return -ENOMEM;
	found = part_tree__find(*root, address);
	rest = mapped_part__new(files, &found->mapping, found->generation);
	if (!rest)
		return -ENOMEM;
	rest->begin = address;
	rest->end = found->end;
	((struct mapped_part *)found)->end = address;
	split(*root, address, &before, &after);
	*root = join(join(before, rest), after);
	return 0;
}

int part_tree__replace(struct mapped_part **root, struct mapped_files *files, uint64_t begin,
		       uint64_t end, struct mapped_part *part, struct mapped_part **removed)
{
	struct mapped_part *before, *after;

	if (cut(root, files, begin) || cut(root, files, end) || own_path(root, files, begin) ||
	    own_path(root, files, end))
		return -ENOMEM;
	if (part) {
		part->begin = begin;
		part->end = end;
	}
	split(*root, begin, &before, &after);
	split(after, end, removed, &after);
	*root = join(join(before, part), after);
	return 0;
}
