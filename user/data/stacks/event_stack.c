// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/event_stack.c: the stack of an event, as a node of counted stacks. */
#include <errno.h>

#include "stacks/event_stack.h"

/* Addresses of a stack without names. */
#define ADDRESSES_MAX 1024

bool event_stack__exists(const struct peat_event *event)
{
	struct peat_user_state state = { .sz = sizeof(state) };

	if (event->record && event->record->has & PEAT_SAMPLE_CALLCHAIN)
		return true;
	return peat_event__addresses(event, NULL, 0) ||
	       (peat_event__user_state(event, &state) && state.stack_bytes);
}

/* Adds a frame below `node`, which becomes that of the frame.  False: no memory. */
static bool add_frame(struct counted_stacks *counted, uint32_t *node,
		      const struct peat_stack_frame *frame, bool name_it)
{
	uint32_t number = counted_frames__add(&counted->frames, frame, name_it);

	if (number == COUNTED_NONE)
		return false;
	*node = stack_tree__child(&counted->tree, *node, number);
	return *node != STACK_TREE_NONE;
}

static int add_addresses(struct counted_stacks *counted, const struct peat_event *event,
			 bool name_them, uint32_t *node)
{
	static _Thread_local struct peat_address addresses[ADDRESSES_MAX];
	uint32_t count = peat_event__addresses(event, addresses, ADDRESSES_MAX);

	for (count = count < ADDRESSES_MAX ? count : ADDRESSES_MAX; count; count--) {
		const struct peat_stack_frame frame = {
			.address = addresses[count - 1].address,
			.space = addresses[count - 1].space,
		};

		if (!add_frame(counted, node, &frame, name_them))
			return -ENOMEM;
	}
	return 0;
}

static int add_frames(struct counted_stacks *counted, struct peat_symbols *symbols, bool name_them,
		      const struct peat_event *event, uint32_t *node)
{
	const struct peat_stack_frame *frames;
	int count;

	for (count = peat_symbols__stack(symbols, event, &frames); count > 0; count--)
		if (!add_frame(counted, node, &frames[count - 1], name_them))
			return -ENOMEM;
	return count;
}

int event_stack__add(struct counted_stacks *counted, struct peat_symbols *symbols, bool name_them,
		     const struct peat_event *event, uint32_t *node)
{
	uint32_t task =
		counted_frames__add_task(&counted->frames, event->comm, event->pid, event->tid);

	*node = task == COUNTED_NONE ? STACK_TREE_NONE : stack_tree__child(&counted->tree, 0, task);
	if (*node == STACK_TREE_NONE)
		return -ENOMEM;
	return symbols ? add_frames(counted, symbols, name_them, event, node)
		       : add_addresses(counted, event, name_them, node);
}
