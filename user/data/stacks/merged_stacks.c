// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/merged_stacks.c: counted stacks by names alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/merged_stacks.h"

/* Numbers of merged frames and nodes by the numbers of counted ones. */
struct merging {
	struct merged_stacks *merged;
	struct strbuf name;
	uint32_t *by_frame, *by_task, *by_node;
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void print_offset(struct strbuf *out, const struct counted_frame *frame)
{
	const char *base = base_of(frame->module);

	if (*base != '[')
		strbuf__char(out, '[');
	strbuf__text(out, base);
	if (*base != '[')
		strbuf__char(out, ']');
	strbuf__char(out, '+');
	strbuf__hex(out, frame->address);
}

static void print_name(struct strbuf *out, const struct counted_frame *frame)
{
	if (frame->symbol && *frame->symbol)
		strbuf__text(out, frame->symbol);
	else if (frame->in_file)
		print_offset(out, frame);
	else
		strbuf__hex(out, frame->address);
}

static void print_task(struct strbuf *out, const struct counted_task *task)
{
	if (task->comm && *task->comm) {
		strbuf__text(out, task->comm);
	} else {
		strbuf__char(out, ':');
		strbuf__signed(out, (int32_t)task->tid);
	}
}

static enum merged_kind kind_of(const struct counted_frame *frame)
{
	if (frame->space == PEAT_SPACE_KERNEL)
		return frame->module && !strcmp(frame->module, "[bpf]") ? MERGED_BPF
									: MERGED_KERNEL;
	if (frame->inlined)
		return MERGED_INLINED;
	return frame->space == PEAT_SPACE_USER ? MERGED_USER : MERGED_OTHER;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static const char *copy_of(struct string_counts *texts, const char *text, size_t bytes)
{
	const struct string_count *entry = string_counts__add(texts, text, bytes);

	return entry ? entry->text : NULL;
}

/* Frames whose texts are the same pointers are the same; there is room for each counted frame. */
static uint32_t number_of(struct merged_stacks *merged, const struct merged_frame *frame)
{
	struct string_count *number;
	struct merged_frame key;

	memset(&key, 0, sizeof(key));
	key.name = frame->name;
	key.module = frame->module;
	key.kind = frame->kind;
	number = string_counts__add(&merged->numbers, (const char *)&key, sizeof(key));
	if (!number)
		return COUNTED_NONE;
	if (!number->count) {
		merged->frames[merged->count] = *frame;
		number->count = ++merged->count;
	}
	return (uint32_t)number->count - 1;
}

/* The name is in merging->name. */
static uint32_t add_frame(struct merging *merging, enum merged_kind kind, const char *module)
{
	struct string_counts *texts = &merging->merged->texts;
	struct merged_frame frame = { .kind = kind };

	if (merging->name.failed)
		return COUNTED_NONE;
	frame.name = copy_of(texts, merging->name.bytes, merging->name.count);
	if (module)
		frame.module = copy_of(texts, module, strlen(module));
	if (!frame.name || (module && !frame.module))
		return COUNTED_NONE;
	return number_of(merging->merged, &frame);
}

static int merge_tasks(struct merging *merging, const struct counted_frames *frames)
{
	for (uint32_t i = 0; i < frames->task_count; i++) {
		merging->name.count = 0;
		print_task(&merging->name, &frames->tasks[i]);
		merging->by_task[i] = add_frame(merging, MERGED_TASK, NULL);
		if (merging->by_task[i] == COUNTED_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int merge_frames(struct merging *merging, const struct counted_frames *frames)
{
	for (uint32_t i = 0; i < frames->count; i++) {
		const struct counted_frame *frame = &frames->frames[i];

		merging->name.count = 0;
		print_name(&merging->name, frame);
		merging->by_frame[i] = add_frame(merging, kind_of(frame),
						 frame->module ? base_of(frame->module) : NULL);
		if (merging->by_frame[i] == COUNTED_NONE)
			return -ENOMEM;
	}
	return 0;
}

/* Parents have smaller indexes, so they are merged before their children. */
static int merge_nodes(struct merging *merging, const struct stack_tree *tree)
{
	struct stack_tree *to = &merging->merged->tree;
	uint32_t *by_node = merging->by_node;

	for (uint32_t i = 1; i < tree->count; i++) {
		const struct stack_node *node = &tree->nodes[i];
		const uint32_t *numbers = node->parent ? merging->by_frame : merging->by_task;
		uint32_t merged =
			stack_tree__child(to, by_node[node->parent], numbers[node->frame]);

		if (merged == STACK_TREE_NONE)
			return -ENOMEM;
		by_node[i] = merged;
	}
	return 0;
}

static void count_nodes(const struct merging *merging, const struct stack_tree *tree)
{
	for (uint32_t i = 1; i < tree->count; i++)
		stack_tree__count(&merging->merged->tree, merging->by_node[i], tree->nodes[i].count,
				  tree->nodes[i].weight);
}

static int count_nodes_before(const struct merging *merging, const struct counted_stacks *before)
{
	uint64_t *sums = calloc((size_t)merging->merged->tree.count + 1, sizeof(*sums));

	if (!sums)
		return -ENOMEM;
	for (uint32_t i = 1; i < before->tree.count; i++) {
		const struct stack_node *node = &before->tree.nodes[i];
		uint64_t *sum = &sums[merging->by_node[i]];

		*sum = stack_tree__sum(*sum, before->is_weighted ? node->weight : node->count);
	}
	merging->merged->before = sums;
	return 0;
}

static size_t room_for(const struct counted_stacks *stacks)
{
	return stacks ? (size_t)stacks->frames.count + stacks->frames.task_count : 0;
}

static int make_room(struct merging *merging, const struct counted_stacks *stacks)
{
	merging->by_frame = calloc((size_t)stacks->frames.count + 1, sizeof(uint32_t));
	merging->by_task = calloc((size_t)stacks->frames.task_count + 1, sizeof(uint32_t));
	merging->by_node = calloc((size_t)stacks->tree.count + 1, sizeof(uint32_t));
	return merging->by_frame && merging->by_task && merging->by_node ? 0 : -ENOMEM;
}

/* Adds the frames and the nodes, but no counts. */
static int merge_stacks(struct merging *merging, const struct counted_stacks *stacks)
{
	int err = make_room(merging, stacks) ?: merge_tasks(merging, &stacks->frames);

	if (!err)
		err = merge_frames(merging, &stacks->frames);
	return err ? err : merge_nodes(merging, &stacks->tree);
}

static void free_merging(struct merging *merging)
{
	strbuf__free(&merging->name);
	free(merging->by_frame);
	free(merging->by_task);
	free(merging->by_node);
}

static int merge_before(struct merged_stacks *merged, const struct counted_stacks *before)
{
	struct merging merging = { .merged = merged };
	int err = merge_stacks(&merging, before);

	if (!err)
		err = count_nodes_before(&merging, before);
	free_merging(&merging);
	return err;
}

static int merge_all(struct merging *merging, const struct counted_stacks *stacks)
{
	struct merged_stacks *merged = merging->merged;
	int err;

	merged->frames =
		calloc(room_for(stacks) + room_for(stacks->before) + 1, sizeof(*merged->frames));
	err = merged->frames ? merge_stacks(merging, stacks) : -ENOMEM;
	if (err)
		return err;
	count_nodes(merging, &stacks->tree);
	return stacks->before ? merge_before(merged, stacks->before) : 0;
}

int merged_stacks__make(struct merged_stacks *merged, const struct counted_stacks *stacks)
{
	struct merging merging = { .merged = merged };
	int err;

	*merged = (struct merged_stacks){ 0 };
	err = merge_all(&merging, stacks);
	merged->by_node = merging.by_node;
	merging.by_node = NULL;
	free_merging(&merging);
	return err;
}

/* ---- callers above --------------------------------------------------------------------------- */

static bool ends_stacks(const struct merged_stacks *merged, uint32_t node)
{
	const struct stack_node *end = &merged->tree.nodes[node];

	return end->count || end->weight || (merged->before && merged->before[node]);
}

/* Adds the stack that ends at a node, from there to its task.  Returns the node of the task. */
static uint32_t add_reversed(struct stack_tree *to, const struct stack_tree *from, uint32_t node)
{
	const struct stack_node *end = &from->nodes[node];
	uint32_t at = 0;

	for (; node && at != STACK_TREE_NONE; node = from->nodes[node].parent)
		at = stack_tree__child(to, at, from->nodes[node].frame);
	if (at != STACK_TREE_NONE)
		stack_tree__count(to, at, end->count, end->weight);
	return at;
}

/* `by_node`: nodes of the reversed tree, by those of the tree. */
static int reverse_tree(const struct merged_stacks *merged, struct stack_tree *reversed,
			uint32_t *by_node)
{
	for (uint32_t i = 1; i < merged->tree.count; i++) {
		if (!ends_stacks(merged, i))
			continue;
		by_node[i] = add_reversed(reversed, &merged->tree, i);
		if (by_node[i] == STACK_TREE_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int reverse_before(struct merged_stacks *merged, const struct stack_tree *reversed,
			  const uint32_t *by_node)
{
	uint64_t *sums = calloc((size_t)reversed->count + 1, sizeof(*sums));

	if (!sums)
		return -ENOMEM;
	for (uint32_t i = 1; i < merged->tree.count; i++)
		sums[by_node[i]] = stack_tree__sum(sums[by_node[i]], merged->before[i]);
	free(merged->before);
	merged->before = sums;
	return 0;
}

int merged_stacks__reverse(struct merged_stacks *merged)
{
	struct stack_tree reversed = { 0 };
	uint32_t *by_node = calloc((size_t)merged->tree.count + 1, sizeof(*by_node));
	int err = by_node ? reverse_tree(merged, &reversed, by_node) : -ENOMEM;

	if (!err && merged->before)
		err = reverse_before(merged, &reversed, by_node);
	free(by_node);
	if (err) {
		stack_tree__free(&reversed);
		return err;
	}
	stack_tree__free(&merged->tree);
	merged->tree = reversed;
	free(merged->by_node);
	merged->by_node = NULL;
	return 0;
}

void merged_stacks__free(struct merged_stacks *merged)
{
	stack_tree__free(&merged->tree);
	free(merged->frames);
	free(merged->by_node);
	free(merged->before);
	string_counts__free(&merged->texts);
	string_counts__free(&merged->numbers);
	*merged = (struct merged_stacks){ 0 };
}
