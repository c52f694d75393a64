/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stack_maker.h: counted stacks for tests, from text:
 *
 *	make_stack(&stacks, "sh|u main|i read|k vfs_read|b bpf_prog_1|u ", 3, 300);
 *
 * The task's name comes first, and is unknown if it is empty; then frames from the outermost on:
 * u user, i inlined, k kernel, b BPF, p user, in the program.  A frame without a name is at offset
 * 0x2000 of libc.so.6.
 */
#ifndef TESTS_UNIT_STACKS_STACK_MAKER_H
#define TESTS_UNIT_STACKS_STACK_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "stacks/counted_stacks.h"

#define MADE_FILE     "/usr/lib/libc.so.6"
#define MADE_PROGRAM  "/opt/app.sock/server-1.2"
#define MADE_BUILD_ID "0123456789abcdef0123456789abcdef01234567"

static inline struct peat_stack_frame made_frame(const char *text)
{
	static const uint8_t build_id[20] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd,
					      0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab,
					      0xcd, 0xef, 0x01, 0x23, 0x45, 0x67 };
	const char *name = text + 2;
	struct peat_stack_frame frame = {
		.space = strchr("kb", *text) ? PEAT_SPACE_KERNEL : PEAT_SPACE_USER,
		.inlined = *text == 'i',
		.symbol = *name ? name : NULL,
		.raw_symbol = *name ? name : NULL,
		.module = *text == 'k'	 ? "[kernel]"
			  : *text == 'b' ? "[bpf]"
			  : *text == 'p' ? MADE_PROGRAM
					 : MADE_FILE,
		.address = *text == 'k' ? 0xffffffff81000000 : 0x7f0000002000,
		.module_offset = 0x2000,
	};

	if (frame.space == PEAT_SPACE_USER) {
		frame.build_id = build_id;
		frame.build_id_bytes = sizeof(build_id);
	}
	return frame;
}

static inline void make_stack(struct counted_stacks *stacks, const char *text, uint64_t count,
			      uint64_t weight)
{
	char *copy = strdup(text), *save = copy, *word = strsep(&save, "|");
	uint32_t node = counted_frames__add_task(&stacks->frames, *word ? word : NULL, 42, 43);

	node = stack_tree__child(&stacks->tree, 0, node);
	while ((word = strsep(&save, "|"))) {
		const struct peat_stack_frame frame = made_frame(word);

		node = stack_tree__child(&stacks->tree, node,
					 counted_frames__add(&stacks->frames, &frame, true));
		ck_assert_uint_ne(node, STACK_TREE_NONE);
	}
	stack_tree__count(&stacks->tree, node, count, weight);
	free(copy);
}

static inline void free_stacks(struct counted_stacks *stacks)
{
	stack_tree__free(&stacks->tree);
	counted_frames__free(&stacks->frames);
}

#endif /* TESTS_UNIT_STACKS_STACK_MAKER_H */
