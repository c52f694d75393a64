/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* kept_stacks.h: copies of named stacks, by number: stacks with the same frames have one number. */
#ifndef CLI_KEPT_STACKS_H
#define CLI_KEPT_STACKS_H

#include <peat/peat.h>

struct kept_stack {
	struct peat_stack_frame *frames; /* innermost first, with texts of their own */
	size_t count;
	uint64_t hash;
};

/* The stacks of an interval. */
struct kept_interval {
	struct kept_stack **stacks; /* by number */
	size_t count, room;
	void *tree; /* of tsearch(3) */
};

/* All zeros: empty. */
struct kept_stacks {
	struct kept_interval present, last;
	uint64_t max; /* of the stacks of an interval; 0: unlimited */
};

/*
 * Stores the number of a stack of the present interval, which is copied if it is new.  Functions
 * are the same if their names, offsets and modules are; without a name, the offset in the module
 * counts, and without a module the address.  New stacks above `max` have the number UINT64_MAX and
 * are not copied. 0 or -ENOMEM.
 */
int kept_stacks__number(struct kept_stacks *kept, const struct peat_stack_frame *frames,
			size_t count, uint64_t *number);

/* Ends the present interval, and frees the stacks of the one before. */
void kept_stacks__end_interval(struct kept_stacks *kept);

/* A stack of the last interval that ended; NULL: it has no such number. */
const struct kept_stack *kept_stacks__find(const struct kept_stacks *kept, uint64_t number);

void kept_stacks__free(struct kept_stacks *kept);

#endif /* CLI_KEPT_STACKS_H */
