// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kept_stacks.c: copies of named stacks, by number. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table/kept_stacks.h"
#include "cli/base/name_hash.h"

/* ---- comparing ------------------------------------------------------------------------------- */

/* The number that tells frames of the same function, or of none, apart. */
static uint64_t place(const struct peat_stack_frame *frame)
{
	if (frame->symbol)
		return frame->inlined ? UINT64_MAX : frame->offset;
	return frame->module && frame->module_offset ? frame->module_offset : frame->address;
}

static uint64_t hash_frames(const struct peat_stack_frame *frames, size_t count)
{
	uint64_t hash = name_hash__start();

	for (size_t i = 0; i < count; i++) {
		hash = name_hash__text(hash, frames[i].symbol);
		hash = name_hash__text(hash, frames[i].module);
		hash = name_hash__number(hash, place(&frames[i]));
	}
	return hash;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_frames(const struct peat_stack_frame *a, const struct peat_stack_frame *b)
{
	int result = compare_texts(a->symbol, b->symbol);

	if (!result)
		result = compare_texts(a->module, b->module);
	return result ? result : (place(a) > place(b)) - (place(a) < place(b));
}

static int compare_kept_stacks(const void *one, const void *other)
{
	const struct kept_stack *a = *(struct kept_stack *const *)one;
	const struct kept_stack *b = *(struct kept_stack *const *)other;
	int result = (a->hash > b->hash) - (a->hash < b->hash);

	if (!result)
		result = (a->count > b->count) - (a->count < b->count);
	for (size_t i = 0; !result && i < a->count; i++)
		result = compare_frames(&a->frames[i], &b->frames[i]);
	return result;
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* A node of the tree begins with its key, an entry of this kind. */
struct kept_entry {
	struct kept_stack *stack;
	uint64_t number;
};

static void free_stack(struct kept_stack *stack)
{
	for (size_t i = 0; stack && i < stack->count; i++) {
		free((char *)stack->frames[i].symbol);
		free((char *)stack->frames[i].module);
	}
	if (stack)
		free(stack->frames);
	free(stack);
}

/* False: no memory. */
static bool copy_text(const char **text)
{
	char *copy = *text ? strdup(*text) : NULL;
	bool copied = copy || !*text;

	*text = copy;
	return copied;
}

static struct kept_stack *copy_stack(const struct kept_stack *from)
{
	struct kept_stack *stack = calloc(1, sizeof(*stack));
	bool copied = stack;

	if (copied)
		stack->frames = calloc(from->count + 1, sizeof(*stack->frames));
	copied = copied && stack->frames;
	for (size_t i = 0; copied && i < from->count; i++) {
		struct peat_stack_frame *frame = &stack->frames[stack->count++];

		*frame =
			(struct peat_stack_frame){ .address = from->frames[i].address,
						   .space = from->frames[i].space,
						   .inlined = from->frames[i].inlined,
						   .is_guess = from->frames[i].is_guess,
						   .symbol = from->frames[i].symbol,
						   .offset = from->frames[i].offset,
						   .module = from->frames[i].module,
						   .module_offset = from->frames[i].module_offset };
		copied = copy_text(&frame->symbol);
		copied = copy_text(&frame->module) && copied;
	}
	if (copied) {
		stack->hash = from->hash;
		return stack;
	}
	free_stack(stack);
	return NULL;
}

static bool make_stack_room(struct kept_interval *interval)
{
	size_t room = interval->room ? 2 * interval->room : 64;
	struct kept_stack **grown;

	if (interval->count < interval->room)
		return true;
	grown = reallocarray(interval->stacks, room, sizeof(*grown));
	if (!grown)
		return false;
	interval->stacks = grown;
	interval->room = room;
	return true;
}

/* Owns `entry` if it returns 0. */
static int add_kept_stack(struct kept_interval *interval, const struct kept_stack *like,
			  struct kept_entry *entry)
{
	entry->number = interval->count;
	entry->stack = make_stack_room(interval) ? copy_stack(like) : NULL;
	if (!entry->stack)
		return -ENOMEM;
	if (!tsearch(entry, &interval->tree, compare_kept_stacks)) {
		free_stack(entry->stack);
		return -ENOMEM;
	}
	interval->stacks[interval->count++] = entry->stack;
	return 0;
}

int kept_stacks__number(struct kept_stacks *kept, const struct peat_stack_frame *frames,
			size_t count, uint64_t *number)
{
	struct kept_stack like = { .frames = (struct peat_stack_frame *)frames,
				   .count = count,
				   .hash = hash_frames(frames, count) };
	struct kept_entry wanted = { .stack = &like }, *entry, **found;
	int err;

	found = tfind(&wanted, &kept->present.tree, compare_kept_stacks);
	if (found) {
		*number = (*found)->number;
		return 0;
	}
	if (kept->max && kept->present.count >= kept->max) {
		*number = UINT64_MAX;
		return 0;
	}
	entry = malloc(sizeof(*entry));
	err = entry ? add_kept_stack(&kept->present, &like, entry) : -ENOMEM;
	if (err)
		free(entry);
	else
		*number = entry->number;
	return err;
}

const struct kept_stack *kept_stacks__find(const struct kept_stacks *kept, uint64_t number)
{
	return number < kept->last.count ? kept->last.stacks[number] : NULL;
}

static void free_interval(struct kept_interval *interval)
{
	tdestroy(interval->tree, free);
	for (size_t i = 0; i < interval->count; i++)
		free_stack(interval->stacks[i]);
	free(interval->stacks);
	*interval = (struct kept_interval){ 0 };
}

void kept_stacks__end_interval(struct kept_stacks *kept)
{
	free_interval(&kept->last);
	kept->last = kept->present;
	kept->present = (struct kept_interval){ 0 };
}

void kept_stacks__free(struct kept_stacks *kept)
{
	free_interval(&kept->present);
	free_interval(&kept->last);
}
