// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_modules.c: lines of /proc/modules, and those of this kernel. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "sys/kernel_modules.h"
#include "unit/suite.h"

START_TEST(test_parses_lines)
{
	struct kernel_module module;

	ck_assert(kernel_modules__parse(
		&module, "nf_tables 385024 2 nft_compat,nft_counter, Live 0xffffffffc0a0e000\n"));
	ck_assert_str_eq(module.name, "nf_tables");
	ck_assert_uint_eq(module.start, 0xffffffffc0a0e000);
	ck_assert_uint_eq(module.bytes, 385024);
	ck_assert(kernel_modules__parse(&module, "own 16384 0 - Live 0xffffffffc0000000 (OE)"));
	ck_assert_str_eq(module.name, "own");
}
END_TEST

START_TEST(test_other_lines)
{
	static const char *const lines[] = {
		"",
		"nf_tables",
		"nf_tables 385024 2 - Live",
		"nf_tables 385024 2 - Live 0x0000000000000000", /* hidden */
		"nf_tables 0 2 - Live 0xffffffffc0a0e000",
		"nf_tables 18446744073709551615 2 - Live 0xffffffffc0a0e000",
		"nf_tables -x 2 - Live 0xffffffffc0a0e000",
	};
	struct kernel_module module;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!kernel_modules__parse(&module, lines[i]), "'%s'", lines[i]);
}
END_TEST

/* The kernel has no longer names than 55 bytes. */
START_TEST(test_long_name)
{
	struct kernel_module module;
	char line[256];

	snprintf(line, sizeof(line), "%0100d 1 0 - Live 0x1000", 1);
	ck_assert(!kernel_modules__parse(&module, line));
	snprintf(line, sizeof(line), "%063d 1 0 - Live 0x1000", 1);
	ck_assert(kernel_modules__parse(&module, line));
	ck_assert_uint_eq(strlen(module.name), 63);
}
END_TEST

static void count_module(void *arg, const struct kernel_module *module)
{
	ck_assert_uint_ne(module->start, 0);
	++*(unsigned *)arg;
}

START_TEST(test_this_kernel)
{
	unsigned count = 0;
	int err = kernel_modules__each(count_module, &count);

	ck_assert_int_eq(err, access("/proc/modules", R_OK) ? -ENOENT : 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_lines);
	tcase_add_test(tests, test_other_lines);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_this_kernel);
}
