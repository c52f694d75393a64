// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mini_debuginfo.c: symbols in .gnu_debugdata, whole, damaged, and far too big. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/symbols/separated.h"
#include "symbols/elf/mini_debuginfo.h"

#include "support/machine/process.h"
#include "unit/suite.h"

static struct separated separated;
static char packed[SEPARATED_PATH + 8];

static void setup(void)
{
	separated__make(&separated);
	snprintf(packed, sizeof(packed), "%s.xz", separated.debug);
}

static void teardown(void)
{
	separated__remove(&separated);
}

/* Puts the packed file into the program and opens it. */
static int open_mini(struct elf_file **mini)
{
	char section[SEPARATED_PATH + 64];
	struct elf_file *program;
	int err;

	snprintf(section, sizeof(section), "--add-section=.gnu_debugdata=%s", packed);
	separated__run(ARGV("objcopy", "-R", ".gnu_debugdata", section, separated.program));
	program = separated__open(separated.program);
	err = mini_debuginfo__open(program, mini);
	elf_file__free(program);
	return err;
}

#ifdef HAVE_LZMA
START_TEST(test_opens_mini_debuginfo)
{
	struct elf_file *program = separated__open(separated.program), *mini;

	ck_assert_int_eq(mini_debuginfo__open(program, &mini), -ENOENT);
	elf_file__free(program);
	separated__run(ARGV("strip", "-g", separated.debug));
	separated__run(ARGV("xz", "-0", separated.debug));
	ck_assert_int_eq(open_mini(&mini), 0);
	ck_assert_ptr_nonnull(elf_file__find_section(mini, ".symtab", NULL));
	ck_assert_str_eq(mini->path, separated.program);
	elf_file__free(mini);
}
END_TEST

START_TEST(test_damaged_section_is_refused)
{
	struct elf_file *mini;

	separated__write(packed, "no xz at all", 12);
	ck_assert_int_eq(open_mini(&mini), -ENOEXEC);
	separated__write(separated.debug, "no ELF file", 11);
	separated__run(ARGV("xz", "-f", "-0", separated.debug));
	ck_assert_int_eq(open_mini(&mini), -ENOEXEC);
	separated__run(ARGV("truncate", "-s", "-4", packed));
	ck_assert_int_eq(open_mini(&mini), -ENOEXEC);
}
END_TEST

/* 300 MiB of zeroes, more than the budget, have 45 KiB packed. */
START_TEST(test_too_big)
{
	struct elf_file *mini;

	separated__run(ARGV("truncate", "-s", "300M", separated.debug));
	separated__run(ARGV("xz", "-f", "-0", separated.debug));
	ck_assert_int_eq(open_mini(&mini), -ENOEXEC);
}
END_TEST
#else
START_TEST(test_opens_mini_debuginfo)
{
	struct elf_file *mini;

	separated__write(packed, "anything", 8);
	ck_assert_int_eq(open_mini(&mini), -ENOENT);
	skip("built without liblzma");
}
END_TEST
#endif

SUITE(120)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_opens_mini_debuginfo);
#ifdef HAVE_LZMA
	tcase_add_test(tests, test_damaged_section_is_refused);
	tcase_add_test(tests, test_too_big);
#endif
}
