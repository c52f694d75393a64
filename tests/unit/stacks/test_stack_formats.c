// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack_formats.c: names and suffixes of the formats of stacks. */
#include <string.h>

#include "stacks/stack_formats.h"
#include "unit/suite.h"

START_TEST(test_formats_have_names)
{
	ck_assert_str_eq(peat_stacks__name(PEAT_STACKS_FOLDED), "folded");
	ck_assert_str_eq(peat_stacks__name(PEAT_STACKS_FLAMEGRAPH), "flamegraph");
	ck_assert_str_eq(peat_stacks__suffix(PEAT_STACKS_FLAMEGRAPH), ".svg");
	ck_assert_str_eq(peat_stacks__suffix(PEAT_STACKS_PPROF), ".pb.gz");
}
END_TEST

/* No name and no suffix is that of another format, and each row is complete. */
START_TEST(test_formats_differ)
{
	const struct stack_format *row, *other;
	unsigned count = 0;

	for (; (row = stack_formats__of((enum peat_stacks_format)count)); count++) {
		ck_assert(row->name && row->suffix && row->write);
		ck_assert_int_eq(*row->suffix, '.');
		for (unsigned i = 0; i < count; i++) {
			other = stack_formats__of((enum peat_stacks_format)i);
			ck_assert_str_ne(row->name, other->name);
			ck_assert_str_ne(row->suffix, other->suffix);
		}
	}
	ck_assert_ptr_null(peat_stacks__name((enum peat_stacks_format)count));
	ck_assert_ptr_null(peat_stacks__suffix((enum peat_stacks_format)count));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_formats_have_names);
	tcase_add_test(tests, test_formats_differ);
}
