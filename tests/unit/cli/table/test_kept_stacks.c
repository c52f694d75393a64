// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kept_stacks.c: the stacks of an interval, kept by number. */
#include <string.h>

#include "cli/table/kept_stacks.h"
#include "unit/suite.h"

static const struct peat_stack_frame read_frames[] = {
	{ .symbol = "re\nad", .offset = 16, .module = "/usr/lib/libc.so.6", .address = 0x7f10 },
	{ .symbol = "help", .inlined = true, .module = "/bin/a", .address = 0x4010 },
	{ .symbol = "main", .module = "/bin/a", .address = 0x4010 },
	{ .module = "/bin/", .module_offset = 0x20, .address = 0x5000 },
	{ .address = 0x6000 },
};

static struct kept_stacks kept;

static void teardown(void)
{
	kept_stacks__free(&kept);
	kept = (struct kept_stacks){ 0 };
}

static uint64_t number(const struct peat_stack_frame *frames, size_t count)
{
	uint64_t number = 99;

	ck_assert_int_eq(kept_stacks__number(&kept, frames, count, &number), 0);
	return number;
}

/* Equal stacks have one number, wherever their texts and addresses are. */
START_TEST(test_equal_stacks_share_numbers)
{
	struct peat_stack_frame other[5];
	char symbol[] = "main";

	memcpy(other, read_frames, sizeof(other));
	ck_assert_uint_eq(number(read_frames, 5), 0);
	ck_assert_uint_eq(number(read_frames, 4), 1);
	ck_assert_uint_eq(number(NULL, 0), 2);
	other[0].address += 0x1000;
	other[2].symbol = symbol;
	other[3].address += 0x1000;
	ck_assert_uint_eq(number(other, 5), 0);
	other[2].offset = 1;
	ck_assert_uint_eq(number(other, 5), 3);
	other[2].offset = 0;
	other[2].module = "/bin/b";
	ck_assert_uint_eq(number(other, 5), 4);
	other[2].module = "/bin/a";
	other[4].address++;
	ck_assert_uint_eq(number(other, 5), 5);
	for (uint64_t i = 0; i < 200; i++) {
		other[4].address = 0x10000 + i;
		ck_assert_uint_eq(number(other, 5), 6 + i);
	}
	ck_assert_uint_eq(number(NULL, 0), 2);
}
END_TEST

/* The rows of an interval are printed while the next one is counted. */
START_TEST(test_intervals_keep_last_stacks)
{
	number(read_frames, 5);
	ck_assert_ptr_null(kept_stacks__find(&kept, 0));
	kept_stacks__end_interval(&kept);
	ck_assert_uint_eq(number(read_frames, 1), 0);
	ck_assert_uint_eq(kept_stacks__find(&kept, 0)->count, 5);
	ck_assert_ptr_null(kept_stacks__find(&kept, 1));
	kept_stacks__end_interval(&kept);
	ck_assert_uint_eq(kept_stacks__find(&kept, 0)->count, 1);
	kept_stacks__end_interval(&kept);
	ck_assert_ptr_null(kept_stacks__find(&kept, 0));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_equal_stacks_share_numbers);
	tcase_add_test(tests, test_intervals_keep_last_stacks);
}
