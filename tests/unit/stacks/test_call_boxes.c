// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_call_boxes.c: the boxes of a flame graph. */
#include <stdio.h>

#include "unit/stacks/stack_maker.h"
#include "stacks/call_boxes.h"
#include "unit/suite.h"

/* "depth name start+width" of each box. */
static void check_boxes(const struct counted_stacks *stacks, bool is_weighted, uint64_t parts,
			const char *wanted, uint64_t left_out)
{
	struct merged_stacks merged;
	struct call_boxes boxes;
	struct call_box box = { 0 };
	char text[2048];
	size_t used = 0;

	ck_assert_int_eq(merged_stacks__make(&merged, stacks), 0);
	ck_assert_int_eq(call_boxes__make(&boxes, &merged, is_weighted, parts), 0);
	*text = 0;
	while (call_boxes__next(&boxes, &box))
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u %s %llu+%llu\n",
					 box.depth, box.frame ? box.frame->name : "all",
					 (unsigned long long)box.start,
					 (unsigned long long)box.total);
	ck_assert_str_eq(text, wanted);
	ck_assert_uint_eq(boxes.left_out, left_out);
	call_boxes__free(&boxes);
	merged_stacks__free(&merged);
}

START_TEST(test_boxes_in_order_of_names)
{
	struct counted_stacks stacks = { 0 };

	make_stack(&stacks, "sh|u main|u write", 1, 4000);
	make_stack(&stacks, "sh|u main|u read|k vfs_read", 2, 300);
	make_stack(&stacks, "sh|u main", 3, 20);
	make_stack(&stacks, "cat|u main", 4, 1);
	check_boxes(&stacks, false, 1000,
		    "0 all 0+10\n"
		    "1 cat 0+4\n"
		    "2 main 0+4\n"
		    "1 sh 4+6\n"
		    "2 main 4+6\n"
		    "3 read 4+2\n"
		    "4 vfs_read 4+2\n"
		    "3 write 6+1\n",
		    0);
	check_boxes(&stacks, true, 100,
		    "0 all 0+4321\n"
		    "1 sh 1+4320\n"
		    "2 main 1+4320\n"
		    "3 read 1+300\n"
		    "4 vfs_read 1+300\n"
		    "3 write 301+4000\n",
		    2); /* cat and its main */
	free_stacks(&stacks);
}
END_TEST

/* Functions of one name in two files are two boxes. */
START_TEST(test_files_separate_boxes)
{
	struct counted_stacks stacks = { 0 };

	make_stack(&stacks, "sh|k read", 1, 0);
	make_stack(&stacks, "sh|u read", 2, 0);
	check_boxes(&stacks, false, 1000,
		    "0 all 0+3\n"
		    "1 sh 0+3\n"
		    "2 read 0+1\n"
		    "2 read 1+2\n",
		    0);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_nothing_has_no_boxes)
{
	struct counted_stacks stacks = { 0 };

	check_boxes(&stacks, false, 1000, "", 0);
	make_stack(&stacks, "sh|u read", 1, 0);
	check_boxes(&stacks, true, 1000, "", 0); /* no weight */
	free_stacks(&stacks);
}
END_TEST

/* Sums that do not fit in 64 bits do not wrap around. */
START_TEST(test_sums_do_not_overflow)
{
	struct counted_stacks stacks = { 0 };

	make_stack(&stacks, "a|u read", 1, UINT64_MAX);
	make_stack(&stacks, "b|u read", 1, UINT64_MAX);
	check_boxes(&stacks, true, 1000,
		    "0 all 0+18446744073709551615\n"
		    "1 a 0+18446744073709551615\n"
		    "2 read 0+18446744073709551615\n"
		    "1 b 18446744073709551615+18446744073709551615\n"
		    "2 read 18446744073709551615+18446744073709551615\n",
		    0);
	free_stacks(&stacks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_boxes_in_order_of_names);
	tcase_add_test(tests, test_files_separate_boxes);
	tcase_add_test(tests, test_nothing_has_no_boxes);
	tcase_add_test(tests, test_sums_do_not_overflow);
}
