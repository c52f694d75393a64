// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_merged_stacks.c: stacks of the same names are one. */
#include "unit/stacks/stack_maker.h"
#include "stacks/merged_stacks.h"
#include "unit/suite.h"

static const struct stack_node *find_node(const struct merged_stacks *merged, const char *name)
{
	for (uint32_t i = 1; i < merged->tree.count; i++)
		if (!strcmp(merged->frames[merged->tree.nodes[i].frame].name, name))
			return &merged->tree.nodes[i];
	ck_abort_msg("no frame %s", name);
}

static const struct merged_frame *frame_of(const struct merged_stacks *merged, const char *name)
{
	return &merged->frames[find_node(merged, name)->frame];
}

/* Two threads, and calls from two lines. */
START_TEST(test_threads_and_lines_are_merged)
{
	struct counted_stacks stacks = { 0 };
	struct merged_stacks merged;
	struct peat_stack_frame frame = made_frame("u main");
	uint32_t node;

	make_stack(&stacks, "sh|u main|u read", 3, 30);
	node = stack_tree__child(&stacks.tree, 0,
				 counted_frames__add_task(&stacks.frames, "sh", 42, 99));
	frame.module_offset = 0x2345;
	node = stack_tree__child(&stacks.tree, node,
				 counted_frames__add(&stacks.frames, &frame, true));
	stack_tree__count(&stacks.tree, node, 5, 50);
	ck_assert_int_eq(merged_stacks__make(&merged, &stacks), 0);
	ck_assert_uint_eq(merged.tree.count, 4); /* the root, sh, main, read */
	ck_assert_uint_eq(find_node(&merged, "main")->count, 5);
	ck_assert_uint_eq(find_node(&merged, "read")->weight, 30);
	merged_stacks__free(&merged);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_kinds_of_frames)
{
	struct counted_stacks stacks = { 0 };
	struct merged_stacks merged;

	make_stack(&stacks, "sh|u main|i inner|k vfs_read|b bpf_prog_1", 1, 0);
	make_stack(&stacks, "|u |k ", 1, 0);
	ck_assert_int_eq(merged_stacks__make(&merged, &stacks), 0);
	ck_assert_int_eq(frame_of(&merged, "sh")->kind, MERGED_TASK);
	ck_assert_int_eq(frame_of(&merged, ":43")->kind, MERGED_TASK);
	ck_assert_int_eq(frame_of(&merged, "main")->kind, MERGED_USER);
	ck_assert_int_eq(frame_of(&merged, "inner")->kind, MERGED_INLINED);
	ck_assert_int_eq(frame_of(&merged, "vfs_read")->kind, MERGED_KERNEL);
	ck_assert_int_eq(frame_of(&merged, "bpf_prog_1")->kind, MERGED_BPF);
	ck_assert_str_eq(frame_of(&merged, "main")->module, "libc.so.6");
	ck_assert_int_eq(frame_of(&merged, "[libc.so.6]+0x2000")->kind, MERGED_USER);
	ck_assert_int_eq(frame_of(&merged, "0xffffffff81000000")->kind, MERGED_KERNEL);
	merged_stacks__free(&merged);
	free_stacks(&stacks);
}
END_TEST

/* A text that is empty is no name. */
START_TEST(test_empty_names)
{
	struct peat_stack_frame frame = made_frame("u main");
	struct counted_stacks stacks = { 0 };
	struct merged_stacks merged;
	uint32_t node = stack_tree__child(&stacks.tree, 0,
					  counted_frames__add_task(&stacks.frames, "", 42, 43));

	frame.symbol = "";
	stack_tree__child(&stacks.tree, node, counted_frames__add(&stacks.frames, &frame, true));
	ck_assert_int_eq(merged_stacks__make(&merged, &stacks), 0);
	find_node(&merged, ":43");
	find_node(&merged, "[libc.so.6]+0x2000");
	merged_stacks__free(&merged);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_nothing_to_merge)
{
	struct counted_stacks stacks = { 0 };
	struct merged_stacks merged;

	ck_assert_int_eq(merged_stacks__make(&merged, &stacks), 0);
	ck_assert_uint_eq(merged.tree.count, 0);
	merged_stacks__free(&merged);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_threads_and_lines_are_merged);
	tcase_add_test(tests, test_kinds_of_frames);
	tcase_add_test(tests, test_empty_names);
	tcase_add_test(tests, test_nothing_to_merge);
}
