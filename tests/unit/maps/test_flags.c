// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flags.c: the flags of maps by name. */
#include <string.h>
#include <linux/bpf.h>

#include "support/machine/harness.h"
#include "maps/flags.h"
#include "unit/suite.h"

static const char *text_of(uint32_t flags)
{
	static char text[MAP_FLAGS_BYTES];

	flags__text(flags, text);
	return text;
}

START_TEST(test_flags_by_name_or_number)
{
	ck_assert_str_eq(text_of(0), "");
	ck_assert_str_eq(text_of(BPF_F_NUMA_NODE), "BPF_F_NUMA_NODE");
	ck_assert_str_eq(text_of(BPF_F_RDONLY | BPF_F_PRESERVE_ELEMS),
			 "BPF_F_RDONLY BPF_F_PRESERVE_ELEMS");
	ck_assert_str_eq(text_of(BPF_F_WRONLY_PROG | 1U << 30 | 1U << 31),
			 "BPF_F_WRONLY_PROG 0xc0000000");
	ck_assert_ptr_nonnull(strstr(text_of(UINT32_MAX), " BPF_F_NO_USER_CONV 0xfff80000"));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_flags_by_name_or_number);
}
