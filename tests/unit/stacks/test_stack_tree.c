// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack_tree.c: stacks that share their outer frames. */
#include "stacks/stack_tree.h"
#include "unit/suite.h"

START_TEST(test_stacks_share_nodes)
{
	struct stack_tree tree = { 0 };
	uint32_t main_ = stack_tree__child(&tree, 0, 7), read_, write_;

	read_ = stack_tree__child(&tree, main_, 8);
	write_ = stack_tree__child(&tree, main_, 9);
	ck_assert_uint_eq(stack_tree__child(&tree, 0, 7), main_);
	ck_assert_uint_eq(stack_tree__child(&tree, main_, 8), read_);
	ck_assert_uint_ne(read_, write_);
	ck_assert_uint_ne(stack_tree__child(&tree, 0, 8), read_); /* another parent */
	ck_assert_uint_eq(tree.nodes[read_].parent, main_);
	ck_assert_uint_eq(tree.nodes[read_].frame, 8);
	ck_assert_uint_eq(tree.count, 5); /* with the root */
	stack_tree__free(&tree);
	ck_assert_uint_eq(tree.count, 0);
}
END_TEST

/* Nodes keep their numbers while the tree grows, and parents have smaller ones. */
START_TEST(test_many_nodes_keep_numbers)
{
	struct stack_tree tree = { 0 };
	static uint32_t nodes[200][100];

	for (uint32_t i = 0; i < 200; i++)
		for (uint32_t j = 0; j < 100; j++)
			nodes[i][j] = stack_tree__child(&tree, j ? nodes[i][j - 1] : 0, i);
	ck_assert_uint_eq(tree.count, 1 + 200 * 100);
	for (uint32_t i = 0; i < 200; i++)
		for (uint32_t j = 0; j < 100; j++) {
			uint32_t parent = j ? nodes[i][j - 1] : 0;

			ck_assert_uint_eq(stack_tree__child(&tree, parent, i), nodes[i][j]);
			ck_assert_uint_lt(parent, nodes[i][j]);
		}
	stack_tree__free(&tree);
}
END_TEST

START_TEST(test_counts_are_added)
{
	struct stack_tree tree = { 0 };
	uint32_t node = stack_tree__child(&tree, 0, 1);

	stack_tree__count(&tree, node, 2, 100);
	stack_tree__count(&tree, node, 3, UINT64_MAX - 50);
	ck_assert_uint_eq(tree.nodes[node].count, 5);
	ck_assert(tree.nodes[node].weight == UINT64_MAX);
	stack_tree__free(&tree);
}
END_TEST

START_TEST(test_path_of_a_node)
{
	struct stack_tree tree = { 0 };
	uint32_t path[3] = { 0 };
	uint32_t outer = stack_tree__child(&tree, 0, 7);
	uint32_t inner = stack_tree__child(&tree, stack_tree__child(&tree, outer, 8), 9);

	ck_assert_uint_eq(stack_tree__path(&tree, inner, path), 3);
	ck_assert(path[0] == 9 && path[1] == 8 && path[2] == 7);
	ck_assert_uint_eq(stack_tree__path(&tree, outer, path), 1);
	ck_assert_uint_eq(path[0], 7);
	ck_assert_uint_eq(stack_tree__path(&tree, 0, path), 0);
	stack_tree__free(&tree);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_stacks_share_nodes);
	tcase_add_test(tests, test_many_nodes_keep_numbers);
	tcase_add_test(tests, test_counts_are_added);
	tcase_add_test(tests, test_path_of_a_node);
}
