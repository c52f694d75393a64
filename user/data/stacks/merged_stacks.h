/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/merged_stacks.h: counted stacks by names alone: calls from different places of a
 * function, and threads of the same name, are one.  Pure.
 */
#ifndef PEAT_STACKS_MERGED_STACKS_H
#define PEAT_STACKS_MERGED_STACKS_H

#include "stacks/counted_stacks.h"

enum merged_kind {
	MERGED_TASK,
	MERGED_USER,
	MERGED_INLINED,
	MERGED_KERNEL,
	MERGED_BPF,
	MERGED_OTHER
};

struct merged_frame {
	const char *name;   /* of the function; or `[libc.so.6]+0x27249`, or an address */
	const char *module; /* without directories; NULL: unknown */
	enum merged_kind kind;
};

struct merged_stacks {
	struct stack_tree tree; /* numbers of `frames` */
	struct merged_frame *frames;
	uint32_t count;
	uint32_t *by_node; /* nodes of `tree`, by the nodes of the counted stacks */
	uint64_t *before;  /* the sum of the stacks before that end at a node; NULL: none */
	struct string_counts texts;
	struct string_counts numbers; /* by the bytes of a frame; count: number + 1 */
};

/* 0 or -ENOMEM; free it in any case. */
int merged_stacks__make(struct merged_stacks *merged, const struct counted_stacks *stacks);

/*
 * Turns the stacks around: below the root are the innermost frames, which end stacks, and above
 * each its callers, the tasks last.  `by_node` is gone then.  0 or -ENOMEM.
 */
int merged_stacks__reverse(struct merged_stacks *merged);

void merged_stacks__free(struct merged_stacks *merged);

#endif /* PEAT_STACKS_MERGED_STACKS_H */
