/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/stack_tree.h: stacks with counts, as a tree: stacks with the same outer frames share
 * their nodes.  Pure.
 */
#ifndef PEAT_STACKS_STACK_TREE_H
#define PEAT_STACKS_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_TREE_NONE UINT32_MAX

/* Frames are numbers of the caller's.  `count` and `weight` are of stacks that end at this node. */
struct stack_node {
	uint32_t parent; /* a smaller index */
	uint32_t frame;
	uint64_t count;
	uint64_t weight;
};

/* All zero: empty. */
struct stack_tree {
	struct stack_node *nodes; /* nodes[0] is the root, once there is another one */
	uint32_t count, room;
	uint32_t *slots; /* hash table of nodes by parent and frame; 0: free */
	uint32_t slots_count;
};

/* At most 2^64 - 1. */
static inline uint64_t stack_tree__sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Finds or adds the node of `frame` below `parent`; 0: the root.  STACK_TREE_NONE: no memory. */
uint32_t stack_tree__child(struct stack_tree *tree, uint32_t parent, uint32_t frame);

/* Adds to a node's count and weight, which stay below 2^64. */
void stack_tree__count(struct stack_tree *tree, uint32_t node, uint64_t count, uint64_t weight);

/*
 * Stores the frames from a node to the outermost one in `path`, which has room for all nodes.
 * Returns their number.
 */
uint32_t stack_tree__path(const struct stack_tree *tree, uint32_t node, uint32_t *path);

void stack_tree__free(struct stack_tree *tree);

#endif /* PEAT_STACKS_STACK_TREE_H */
