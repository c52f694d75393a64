// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/stack_tree.c: stacks with counts, as a tree. */
#include <errno.h>
#include <stdlib.h>

#include "stacks/stack_tree.h"

#define ROOM_LEAST 256

/* The last steps of MurmurHash3: all bits of the numbers change all bits of the result. */
static uint32_t hash_of(uint32_t parent, uint32_t frame)
{
	uint64_t hash = ((uint64_t)parent << 32 | frame) * 0xff51afd7ed558ccdULL;

	hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
	return (uint32_t)(hash >> 33);
}

/* The slot of the node, or the free slot for it. */
static uint32_t *node_slot(const struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	uint32_t mask = tree->slots_count - 1, at = hash_of(parent, frame) & mask;
	const struct stack_node *node;

	while (tree->slots[at]) {
		node = &tree->nodes[tree->slots[at]];
		if (node->parent == parent && node->frame == frame)
			break;
		at = (at + 1) & mask;
	}
	return &tree->slots[at];
}

/* Twice as many slots as nodes, so that at most half of them are used. */
static int grow_tree(struct stack_tree *tree)
{
	uint32_t room = tree->room ? 2 * tree->room : ROOM_LEAST;
	uint32_t *slots = room <= UINT32_MAX / 4 ? calloc(2 * (size_t)room, sizeof(*slots)) : NULL;
	struct stack_node *nodes = slots ? reallocarray(tree->nodes, room, sizeof(*nodes)) : NULL;

	if (!nodes) {
		free(slots);
		return -ENOMEM;
	}
	if (!tree->count)
		nodes[tree->count++] = (struct stack_node){ .frame = STACK_TREE_NONE };
	free(tree->slots);
	tree->slots = slots;
	tree->slots_count = 2 * room;
	tree->nodes = nodes;
	tree->room = room;
	for (uint32_t i = 1; i < tree->count; i++)
		*node_slot(tree, nodes[i].parent, nodes[i].frame) = i;
	return 0;
}

uint32_t stack_tree__child(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	uint32_t *slot;

	if (tree->count == tree->room && grow_tree(tree))
		return STACK_TREE_NONE;
	slot = node_slot(tree, parent, frame);
	if (!*slot) {
		tree->nodes[tree->count] = (struct stack_node){ .parent = parent, .frame = frame };
		*slot = tree->count++;
	}
	return *slot;
}

void stack_tree__count(struct stack_tree *tree, uint32_t node, uint64_t count, uint64_t weight)
{
	struct stack_node *counted = &tree->nodes[node];

	counted->count = stack_tree__sum(counted->count, count);
	counted->weight = stack_tree__sum(counted->weight, weight);
}

uint32_t stack_tree__path(const struct stack_tree *tree, uint32_t node, uint32_t *path)
{
	uint32_t depth = 0;

	for (; node; node = tree->nodes[node].parent)
		path[depth++] = tree->nodes[node].frame;
	return depth;
}

void stack_tree__free(struct stack_tree *tree)
{
	free(tree->nodes);
	free(tree->slots);
	*tree = (struct stack_tree){ 0 };
}
