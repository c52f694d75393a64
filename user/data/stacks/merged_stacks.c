// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/merged_stacks.c: counted stacks by names alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/merged_stacks.h"

/* Numbers of merged frames by the numbers of counted ones. */
struct merging {
	struct merged_stacks *merged;
	struct strbuf name;
	uint32_t *by_frame, *by_task;
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
	uint32_t *by_node = merging->merged->by_node;

	for (uint32_t i = 1; i < tree->count; i++) {
		const struct stack_node *node = &tree->nodes[i];
		const uint32_t *numbers = node->parent ? merging->by_frame : merging->by_task;
		uint32_t merged =
			stack_tree__child(to, by_node[node->parent], numbers[node->frame]);

		if (merged == STACK_TREE_NONE)
			return -ENOMEM;
		stack_tree__count(to, merged, node->count, node->weight);
		by_node[i] = merged;
	}
	return 0;
}

static int merge_all(struct merging *merging, const struct counted_stacks *stacks)
{
	const struct counted_frames *frames = &stacks->frames;
	size_t room = (size_t)frames->count + frames->task_count;
	int err;

	merging->merged->frames = calloc(room + 1, sizeof(*merging->merged->frames));
	merging->by_frame = calloc((size_t)frames->count + 1, sizeof(uint32_t));
	merging->by_task = calloc((size_t)frames->task_count + 1, sizeof(uint32_t));
	merging->merged->by_node = calloc((size_t)stacks->tree.count + 1, sizeof(uint32_t));
	if (!merging->merged->frames || !merging->by_frame || !merging->by_task ||
	    !merging->merged->by_node)
		return -ENOMEM;
	err = merge_tasks(merging, frames);
	if (!err)
		err = merge_frames(merging, frames);
	return err ? err : merge_nodes(merging, &stacks->tree);
}

int merged_stacks__make(struct merged_stacks *merged, const struct counted_stacks *stacks)
{
	struct merging merging = { .merged = merged };
	int err;

	*merged = (struct merged_stacks){ 0 };
	err = merge_all(&merging, stacks);
	strbuf__free(&merging.name);
	free(merging.by_frame);
	free(merging.by_task);
	return err;
}

/* Adds the stack that ends at a node, from there to its task. */
static int add_reversed(struct stack_tree *to, const struct stack_tree *from, uint32_t node)
{
	const struct stack_node *end = &from->nodes[node];
	uint32_t at = 0;

	for (; node; node = from->nodes[node].parent) {
		at = stack_tree__child(to, at, from->nodes[node].frame);
		if (at == STACK_TREE_NONE)
			return -ENOMEM;
	}
	stack_tree__count(to, at, end->count, end->weight);
	return 0;
}

int merged_stacks__reverse(struct merged_stacks *merged)
{
	struct stack_tree reversed = { 0 };
	int err = 0;

	for (uint32_t i = 1; !err && i < merged->tree.count; i++)
		if (merged->tree.nodes[i].count || merged->tree.nodes[i].weight)
			err = add_reversed(&reversed, &merged->tree, i);
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
	string_counts__free(&merged->texts);
	string_counts__free(&merged->numbers);
	*merged = (struct merged_stacks){ 0 };
}
