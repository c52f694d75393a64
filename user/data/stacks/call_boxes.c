// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/call_boxes.c: the boxes of a flame graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/call_boxes.h"

/* ---- widths ---------------------------------------------------------------------------------- */

/* Children have larger indexes than their parents. */
static void add_totals(struct call_boxes *boxes, bool is_weighted)
{
	const struct stack_node *nodes = boxes->merged->tree.nodes;

	for (uint32_t i = boxes->merged->tree.count; i-- > 1;) {
		uint64_t own = is_weighted ? nodes[i].weight : nodes[i].count;
		uint64_t *below = &boxes->totals[nodes[i].parent];

		boxes->totals[i] = stack_tree__sum(boxes->totals[i], own);
		*below = stack_tree__sum(*below, boxes->totals[i]);
		boxes->samples = stack_tree__sum(boxes->samples, nodes[i].count);
	}
	boxes->total = boxes->totals[0];
}

static void add_totals_before(struct call_boxes *boxes)
{
	const struct stack_node *nodes = boxes->merged->tree.nodes;
	uint64_t *before = boxes->before;

	for (uint32_t i = boxes->merged->tree.count; i-- > 1;) {
		uint32_t parent = nodes[i].parent;

		before[i] = stack_tree__sum(before[i], boxes->merged->before[i]);
		before[parent] = stack_tree__sum(before[parent], before[i]);
		if (!boxes->totals[i] && boxes->totals[parent])
			boxes->gone = stack_tree__sum(boxes->gone, before[i]);
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int by_parent_and_name(const void *a, const void *b, void *arg)
{
	const struct merged_stacks *merged = arg;
	const struct stack_node *one = &merged->tree.nodes[*(const uint32_t *)a];
	const struct stack_node *two = &merged->tree.nodes[*(const uint32_t *)b];
	const struct merged_frame *first = &merged->frames[one->frame];
	const struct merged_frame *second = &merged->frames[two->frame];
	int order;

	if (one->parent != two->parent)
		return one->parent < two->parent ? -1 : 1;
	order = compare_texts(first->name, second->name);
	if (!order)
		order = compare_texts(first->module, second->module);
	return order ? order : (int)first->kind - (int)second->kind;
}

/* Links the children of each node; `sorted` has room for all nodes. */
static void link_children(struct call_boxes *boxes, uint32_t *sorted)
{
	const struct stack_tree *tree = &boxes->merged->tree;
	uint32_t count = tree->count - 1;

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = i + 1;
	qsort_r(sorted, count, sizeof(*sorted), by_parent_and_name, (void *)boxes->merged);
	for (uint32_t i = count; i--;) {
		uint32_t *first = &boxes->first_child[tree->nodes[sorted[i]].parent];

		boxes->next_sibling[sorted[i]] = *first;
		*first = sorted[i];
	}
}

/* The children of a node are side by side, from its start on. */
static void place_children(struct call_boxes *boxes, uint32_t node)
{
	uint64_t start = boxes->starts[node];

	for (uint32_t i = boxes->first_child[node]; i; i = boxes->next_sibling[i]) {
		boxes->starts[i] = start;
		start = stack_tree__sum(start, boxes->totals[i]);
	}
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static bool is_drawn(const struct call_boxes *boxes, uint32_t node)
{
	return (unsigned __int128)boxes->totals[node] * boxes->parts >= boxes->total &&
	       boxes->totals[node];
}

static uint32_t next_drawn(const struct call_boxes *boxes, uint32_t node)
{
	while (node && !is_drawn(boxes, node))
		node = boxes->next_sibling[node];
	return node;
}

/* The node after box->node in the order of the boxes; 0: none. */
static uint32_t next_node(const struct call_boxes *boxes, struct call_box *box)
{
	uint32_t node = box->node, next = next_drawn(boxes, boxes->first_child[node]);

	box->depth += next != 0;
	while (!next && node) {
		next = next_drawn(boxes, boxes->next_sibling[node]);
		if (!next) {
			node = boxes->merged->tree.nodes[node].parent;
			box->depth--;
		}
	}
	return next;
}

bool call_boxes__next(const struct call_boxes *boxes, struct call_box *box)
{
	const struct merged_stacks *merged = boxes->merged;

	if (!boxes->total)
		return false;
	if (!box->has_begun) {
		*box = (struct call_box){ .total = boxes->total, .has_begun = true };
		box->before = boxes->before ? boxes->before[0] : 0;
		return true;
	}
	box->node = next_node(boxes, box);
	if (!box->node)
		return false;
	box->frame = &merged->frames[merged->tree.nodes[box->node].frame];
	box->start = boxes->starts[box->node];
	box->total = boxes->totals[box->node];
	box->before = boxes->before ? boxes->before[box->node] : 0;
	return true;
}

static void count_boxes(struct call_boxes *boxes)
{
	struct call_box box = { 0 };

	for (uint32_t i = 0; i < boxes->merged->tree.count; i++)
		boxes->left_out += boxes->totals[i] != 0;
	while (call_boxes__next(boxes, &box)) {
		boxes->left_out--;
		if (box.depth >= boxes->rows)
			boxes->rows = box.depth + 1;
	}
}

static int make_boxes(struct call_boxes *boxes, bool is_weighted)
{
	uint32_t *sorted = calloc(boxes->merged->tree.count, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	add_totals(boxes, is_weighted);
	if (boxes->before)
		add_totals_before(boxes);
	link_children(boxes, sorted);
	for (uint32_t i = 0; i < boxes->merged->tree.count; i++)
		place_children(boxes, i);
	count_boxes(boxes);
	free(sorted);
	return 0;
}

int call_boxes__make(struct call_boxes *boxes, const struct merged_stacks *merged, bool is_weighted,
		     uint64_t parts)
{
	size_t count = merged->tree.count;

	*boxes = (struct call_boxes){ .merged = merged, .parts = parts };
	if (!count)
		return 0;
	boxes->totals = calloc(count, sizeof(uint64_t));
	boxes->starts = calloc(count, sizeof(uint64_t));
	boxes->first_child = calloc(count, sizeof(uint32_t));
	boxes->next_sibling = calloc(count, sizeof(uint32_t));
	boxes->before = merged->before ? calloc(count, sizeof(uint64_t)) : NULL;
	if (merged->before && !boxes->before)
		return -ENOMEM;
	if (!boxes->totals || !boxes->starts || !boxes->first_child || !boxes->next_sibling)
		return -ENOMEM;
	return make_boxes(boxes, is_weighted);
}

void call_boxes__free(struct call_boxes *boxes)
{
	free(boxes->totals);
	free(boxes->starts);
	free(boxes->first_child);
	free(boxes->next_sibling);
	free(boxes->before);
	*boxes = (struct call_boxes){ 0 };
}
