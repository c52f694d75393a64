/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/event_stack.h: the stack of an event, as a node of counted stacks. */
#ifndef PEAT_STACKS_EVENT_STACK_H
#define PEAT_STACKS_EVENT_STACK_H

#include <peat/symbols.h>

#include "stacks/counted_stacks.h"

/* A stack can be empty: that of a kernel thread, if the user's part is taken alone. */
bool event_stack__exists(const struct peat_event *event);

/*
 * Adds the task and the stack of an event, and stores the node of its innermost frame.  `symbols`
 * NULL: addresses alone; `name_them` false: without symbols.  0 or a negative errno.
 */
int event_stack__add(struct counted_stacks *counted, struct peat_symbols *symbols, bool name_them,
		     const struct peat_event *event, uint32_t *node);

#endif /* PEAT_STACKS_EVENT_STACK_H */
