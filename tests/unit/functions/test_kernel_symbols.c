// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_symbols.c: functions in texts of kallsyms, and those of addresses of ftrace. */
#include <errno.h>
#include <string.h>

#include "functions/kernel_symbols.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static const char text[] = "ffffffffc0002000 t second\t[mod]\n"
			   "ffffffff81000010 T first\n"
			   "ffffffff81000010 T alias\n"
			   "ffffffff81000000 T __pfx_first\n"
			   "ffffffff81000000 T __cfi_first\n"
			   "ffffffff81000020 D data\n"
			   "not a line\n"
			   "\n"
			   "ffffffff81000028 t small\n"
			   "ffffffffc0003000 t bpf_prog_17_x\t[bpf]\n"
			   "ffffffff81000100 W weak";

static struct kernel_symbols parse(const char *kallsyms)
{
	struct kernel_symbols symbols;

	ck_assert_int_eq(kernel_symbols__parse(&symbols, kallsyms), 0);
	return symbols;
}

static bool is_name(const struct kernel_function *function, const char *name)
{
	return function && word__equal(function->name, (struct word){ name, strlen(name) });
}

START_TEST(test_keeps_functions_by_address)
{
	struct kernel_symbols symbols = parse(text);

	ck_assert_uint_eq(symbols.count, 5);
	ck_assert(is_name(&symbols.at[0], "first"));
	ck_assert(is_name(&symbols.at[1], "alias"));
	ck_assert(is_name(&symbols.at[2], "small"));
	ck_assert(is_name(&symbols.at[3], "weak"));
	ck_assert(is_name(&symbols.at[4], "second"));
	ck_assert_uint_eq(symbols.at[4].address, 0xffffffffc0002000);
	ck_assert_uint_eq(symbols.at[4].module.bytes, 3);
	ck_assert_mem_eq(symbols.at[4].module.at, "mod", 3);
	ck_assert_uint_eq(symbols.at[0].module.bytes, 0);
	ck_assert(!kernel_symbols__are_hidden(&symbols));
	kernel_symbols__free(&symbols);
}
END_TEST

static void check_traced(const struct kernel_symbols *symbols, uint64_t address, const char *name,
			 const char *wanted)
{
	const struct kernel_function *function =
		kernel_symbols__find_traced(symbols, address, (struct word){ name, strlen(name) });

	ck_assert_msg(wanted ? is_name(function, wanted) : !function, "%s", name);
}

START_TEST(test_finds_symbols_of_calls)
{
	struct kernel_symbols symbols = parse(text);

	check_traced(&symbols, 0xffffffff81000014, "first", "first");
	check_traced(&symbols, 0xffffffff81000014, "alias", "alias");
	check_traced(&symbols, 0xffffffff81000014, "other", "alias");
	check_traced(&symbols, 0xffffffff81000010, "first", "first");
	check_traced(&symbols, 0xffffffff8100002c, "small", "small");
	check_traced(&symbols, 0xffffffff8100002c, "first", "first");
	check_traced(&symbols, 0xffffffff8100000f, "first", NULL);
	check_traced(&symbols, 0xffffffffc0002020, "second", "second");
	check_traced(&symbols, 0xffffffffc0002021, "second", NULL);
	check_traced(&symbols, UINT64_MAX, "second", NULL);
	kernel_symbols__free(&symbols);
}
END_TEST

/* Linux 7.2 lists data as functions; code for the start of the kernel is gone. */
START_TEST(test_skips_symbols_outside_of_code)
{
	struct kernel_symbols symbols = parse("ffffffff81000000 T _stext\n"
					      "ffffffff80fffff0 T before\n"
					      "ffffffff81000010 T vfs_read\n"
					      "ffffffff82000000 T _etext\n"
					      "ffffffff82000010 T jiffies\n"
					      "ffffffff83000000 T start_kernel\n"
					      "ffffffffc0000000 t _etext\t[mod]\n"
					      "ffffffffc0001000 t nf_hook\t[mod]\n");

	ck_assert_uint_eq(symbols.count, 4);
	ck_assert(is_name(&symbols.at[0], "_stext"));
	ck_assert(is_name(&symbols.at[1], "vfs_read"));
	ck_assert(is_name(&symbols.at[2], "_etext"));
	ck_assert(is_name(&symbols.at[3], "nf_hook"));
	kernel_symbols__free(&symbols);
	symbols = parse("ffffffff81000000 T _stext\n"
			"ffffffff82000010 T f\n");
	ck_assert_uint_eq(symbols.count, 2);
	kernel_symbols__free(&symbols);
}
END_TEST

START_TEST(test_hidden_addresses)
{
	struct kernel_symbols symbols = parse("0000000000000000 T f\n0000000000000000 t g\t[m]\n");

	ck_assert_uint_eq(symbols.count, 2);
	ck_assert(kernel_symbols__are_hidden(&symbols));
	check_traced(&symbols, 4, "f", NULL);
	kernel_symbols__free(&symbols);
	symbols = parse("");
	ck_assert(!kernel_symbols__are_hidden(&symbols));
	check_traced(&symbols, 4, "f", NULL);
	kernel_symbols__free(&symbols);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	long blocks = fail_alloc__blocks();
	struct kernel_symbols symbols;
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = kernel_symbols__parse(&symbols, text);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		failures += err == -ENOMEM;
		ck_assert(!err || err == -ENOMEM);
	}
	kernel_symbols__free(&symbols);
	ck_assert_uint_le(failures, 2);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_keeps_functions_by_address);
	tcase_add_test(tests, test_finds_symbols_of_calls);
	tcase_add_test(tests, test_skips_symbols_outside_of_code);
	tcase_add_test(tests, test_hidden_addresses);
	tcase_add_test(tests, test_memory_runs_out);
}
