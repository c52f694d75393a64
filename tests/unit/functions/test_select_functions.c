// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_select_functions.c: functions of the kernel, from texts of its lists. */
#include <errno.h>
#include <string.h>

#include "functions/kernel_functions.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

/* Symbols of functions that begin with endbr64 are 4 bytes before their call of ftrace. */
static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000ff0 T __pfx_vfs_read\n"
			       "ffffffff81001000 T vfs_read\n"
			       "ffffffff81001040 t vfs_readv\n"
			       "ffffffff81001080 T vfs_write\n"
			       "ffffffff810010c0 t vfs_inlined\n"
			       "ffffffff81001100 t vfs_read.cold\n"
			       "ffffffff81001140 t vfs_part.isra.0\n"
			       "ffffffff81001180 t twice\n"
			       "ffffffff810011c0 t twice\n"
			       "ffffffff81001200 t do_int3\n"
			       "ffffffff81001240 T __do_sys_getpid\n"
			       "ffffffff81001240 T __x64_sys_getpid\n"
			       "ffffffff81001280 D vfs_data\n"
			       "ffffffffc0001000 t nf_hook\t[nf_tables]\n"
			       "ffffffffc0002000 t nf_hook\t[nf_other]\n"
			       "ffffffffc0003000 t bpf_prog_17_vfs_read\t[bpf]\n";

static const char filter_addrs[] = "ffffffff81001004 vfs_read\n"
				   "ffffffff81001044 vfs_readv\n"
				   "ffffffff81001084 vfs_write\n"
				   "ffffffff81001144 vfs_part.isra.0\n"
				   "ffffffff810011c4 twice\n"
				   "ffffffff81001204 do_int3\n"
				   "ffffffff81001244 __x64_sys_getpid\n"
				   "ffffffffc0001004 nf_hook [nf_tables]\n"
				   "ffffffffc0002004 nf_hook [nf_other]\n"
				   "ffffffff82000004 __ftrace_invalid_address___4\n";

static const char filter[] = "vfs_read\n"
			     "vfs_readv\n"
			     "vfs_write\n"
			     "vfs_part.isra.0\n"
			     "twice\n"
			     "do_int3\n"
			     "__x64_sys_getpid\n"
			     "nf_hook [nf_tables]\n"
			     "nf_hook [nf_other]\n"
			     "unlisted\n";

static const char blacklist[] = "0xffffffff81001200-0xffffffff81001240\tdo_int3\n";

static const struct kernel_function_lists with_addresses = { .kallsyms = kallsyms,
							     .filter_addrs = filter_addrs,
							     .blacklist = blacklist };
static const struct kernel_function_lists with_names = { .kallsyms = kallsyms,
							 .filter = filter,
							 .blacklist = blacklist };
static const struct kernel_function_lists without_ftrace = { .kallsyms = kallsyms,
							     .blacklist = blacklist };

struct wanted {
	const char *name, *module;
	uint64_t place;
};

static void check_each(const struct found_functions *found, const struct wanted *wanted)
{
	size_t count = 0;

	for (; wanted[count].name; count++) {
		ck_assert_uint_lt(count, found->count);
		ck_assert_str_eq(found->at[count].name, wanted[count].name);
		ck_assert_uint_eq(found->at[count].place, wanted[count].place);
		if (wanted[count].module)
			ck_assert_str_eq(found->at[count].module, wanted[count].module);
		else
			ck_assert_ptr_null(found->at[count].module);
	}
	ck_assert_uint_eq(found->count, count);
}

static void check(const struct kernel_function_lists *lists, const char *pattern,
		  const struct wanted *wanted, size_t left_out)
{
	struct found_functions found = { 0 };
	int err = kernel_functions__select(&found, pattern, lists);

	ck_assert_msg(err == (wanted->name ? 0 : -ENOENT), "%s: %s", pattern, strerror(-err));
	check_each(&found, wanted);
	ck_assert_msg(found.left_out == left_out, "%s: %zu", pattern, found.left_out);
	found_functions__free(&found);
}

static const struct wanted none[] = { { 0 } };

static void check_one(const struct kernel_function_lists *lists, const char *pattern,
		      const char *name, uint64_t place)
{
	const struct wanted wanted[] = { { name, NULL, place }, { 0 } };

	check(lists, pattern, wanted, 0);
}

START_TEST(test_places_are_those_of_symbols)
{
	static const struct wanted wanted[] = { { "vfs_read", NULL, 0xffffffff81001000 },
						{ "vfs_readv", NULL, 0xffffffff81001040 },
						{ "vfs_write", NULL, 0xffffffff81001080 },
						{ 0 } };

	check(&with_addresses, "vfs_*", wanted, 1); /* vfs_inlined */
	check(&with_names, "vfs_*", wanted, 1);
	check_one(&with_addresses, "vfs_rea?", "vfs_read", 0xffffffff81001000);
}
END_TEST

START_TEST(test_without_ftrace)
{
	static const struct wanted wanted[] = { { "vfs_inlined", NULL, 0xffffffff810010c0 },
						{ "vfs_read", NULL, 0xffffffff81001000 },
						{ "vfs_readv", NULL, 0xffffffff81001040 },
						{ "vfs_write", NULL, 0xffffffff81001080 },
						{ 0 } };

	check(&without_ftrace, "vfs_*", wanted, 0);
}
END_TEST

START_TEST(test_exact_names)
{
	check_one(&with_addresses, "vfs_read", "vfs_read", 0xffffffff81001000);
	check_one(&with_names, "vfs_read", "vfs_read", 0xffffffff81001000);
	check_one(&without_ftrace, "vfs_read", "vfs_read", 0xffffffff81001000);
	/* Kprobes probe functions that ftrace does not trace. */
	check_one(&with_addresses, "vfs_inlined", "vfs_inlined", 0xffffffff810010c0);
	check_one(&with_names, "vfs_inlined", "vfs_inlined", 0xffffffff810010c0);
	check(&with_addresses, "vfs_rea", none, 0);
	check(&with_addresses, "vfs_data", none, 0);
	check(&with_addresses, "bpf_prog_17_vfs_read", none, 0);
}
END_TEST

START_TEST(test_names_with_dots)
{
	static const struct wanted parts[] = { { "vfs_part.isra.0", NULL, 0xffffffff81001140 },
					       { 0 } };

	check(&with_addresses, "vfs_*.*", parts, 1); /* vfs_read.cold */
	check(&with_names, "vfs_*.*", parts, 1);
	check(&with_addresses, "vfs_p*", none, 0);
	check_one(&with_addresses, "vfs_part.isra.0", "vfs_part.isra.0", 0xffffffff81001140);
	check_one(&without_ftrace, "vfs_read.cold", "vfs_read.cold", 0xffffffff81001100);
}
END_TEST

START_TEST(test_names_with_several_addresses)
{
	static const struct wanted hooks[] = { { "nf_hook", "nf_other", 0xffffffffc0002000 },
					       { "nf_hook", "nf_tables", 0xffffffffc0001000 },
					       { 0 } };
	static const struct wanted both[] = { { "twice", NULL, 0xffffffff81001180 },
					      { "twice", NULL, 0xffffffff810011c0 },
					      { 0 } };
	static const struct wanted traced[] = { { "twice", NULL, 0xffffffff810011c0 }, { 0 } };

	check(&with_addresses, "nf_*", hooks, 0);
	check(&with_names, "nf_*", hooks, 0);
	check(&without_ftrace, "nf_hook", hooks, 0);
	check(&without_ftrace, "twice", both, 0);
	check(&with_addresses, "twice", traced, 1);
	check(&with_addresses, "twic?", traced, 1);
	/* It is unknown which of them is traced. */
	check(&with_names, "twic?", none, 2);
}
END_TEST

START_TEST(test_names_of_one_address)
{
	check_one(&with_addresses, "*_sys_getpid", "__x64_sys_getpid", 0xffffffff81001240);
	check_one(&with_names, "*_sys_getpid", "__x64_sys_getpid", 0xffffffff81001240);
	check_one(&without_ftrace, "*_sys_getpid", "__do_sys_getpid", 0xffffffff81001240);
	check_one(&with_addresses, "__do_sys_getpid", "__do_sys_getpid", 0xffffffff81001240);
}
END_TEST

START_TEST(test_blacklisted_functions_are_left_out)
{
	const struct kernel_function_lists *lists[] = { &with_addresses, &with_names,
							&without_ftrace };

	for (int i = 0; i < 3; i++) {
		struct found_functions found = { 0 };

		check(lists[i], "do_int3", none, 1);
		check(lists[i], "do_int?", none, 1);
		ck_assert_int_eq(kernel_functions__select(&found, "do_int3", lists[i]), -ENOENT);
		ck_assert_str_eq(found.alike.best, "");
	}
}
END_TEST

/* ftrace's entries of code that is gone, and names that kallsyms has in another form. */
START_TEST(test_entries_without_symbols)
{
	static const struct wanted unlisted[] = { { "unlisted", NULL, 0 }, { 0 } };

	check(&with_addresses, "__ftrace_*", none, 1);
	check(&with_names, "unlist*", unlisted, 0);
}
END_TEST

START_TEST(test_hidden_addresses)
{
	static const char hidden[] = "0000000000000000 T vfs_read\n"
				     "0000000000000000 T vfs_inlined\n"
				     "0000000000000000 t nf_hook\t[nf_tables]\n";
	static const char hidden_addrs[] = "0000000000000000 vfs_read\n"
					   "0000000000000000 nf_hook [nf_tables]\n";
	static const struct wanted hook[] = { { "nf_hook", "nf_tables", 0 }, { 0 } };
	static const struct wanted both[] = { { "vfs_inlined", NULL, 0 },
					      { "vfs_read", NULL, 0 },
					      { 0 } };
	static const struct wanted one[] = { { "vfs_read", NULL, 0 }, { 0 } };
	const struct kernel_function_lists lists = { .kallsyms = hidden,
						     .filter_addrs = hidden_addrs };
	const struct kernel_function_lists symbols = { .kallsyms = hidden };

	check(&lists, "nf_*", hook, 0);
	check(&lists, "vfs_*", one, 1);
	check(&symbols, "vfs_*", both, 0);
	check(&symbols, "vfs_read", one, 0);
}
END_TEST

START_TEST(test_without_symbols)
{
	static const struct wanted wanted[] = { { "vfs_read", NULL, 0 },
						{ "vfs_readv", NULL, 0 },
						{ 0 } };
	const struct kernel_function_lists names = { .filter = filter };
	const struct kernel_function_lists addresses = { .filter_addrs = filter_addrs };
	const struct kernel_function_lists nothing = { 0 };

	check(&names, "vfs_r*", wanted, 0);
	check(&addresses, "vfs_r*", wanted, 0);
	check_one(&names, "any_name", "any_name", 0);
	check_one(&nothing, "any_name", "any_name", 0);
	check(&nothing, "any*", none, 0);
}
END_TEST

static void check_alike(const struct kernel_function_lists *lists, const char *pattern,
			const char *wanted)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(kernel_functions__select(&found, pattern, lists), -ENOENT);
	ck_assert_str_eq(found.alike.best, wanted);
	found_functions__free(&found);
}

START_TEST(test_suggests_names)
{
	const struct kernel_function_lists names = { .filter = filter };

	check_alike(&with_addresses, "vfs_raed", "vfs_read");
	check_alike(&without_ftrace, "vfs_wirte", "vfs_write");
	check_alike(&names, "vfs_raed*", "vfs_read");
	check_alike(&with_addresses, "something_else_entirely", "");
}
END_TEST

static void check_without_memory(const struct kernel_function_lists *lists, const char *pattern)
{
	long blocks = fail_alloc__blocks();
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		struct found_functions found = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = kernel_functions__select(&found, pattern, lists);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert(!err || err == -ENOMEM);
		ck_assert(!err || !found.count);
		failures += err != 0;
		found_functions__free(&found);
	}
	ck_assert_uint_lt(failures, 40);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

START_TEST(test_memory_runs_out)
{
	check_without_memory(&with_addresses, "vfs_*");
	check_without_memory(&with_names, "*");
	check_without_memory(&without_ftrace, "nf_hook");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_places_are_those_of_symbols);
	tcase_add_test(tests, test_without_ftrace);
	tcase_add_test(tests, test_exact_names);
	tcase_add_test(tests, test_names_with_dots);
	tcase_add_test(tests, test_names_with_several_addresses);
	tcase_add_test(tests, test_names_of_one_address);
	tcase_add_test(tests, test_blacklisted_functions_are_left_out);
	tcase_add_test(tests, test_entries_without_symbols);
	tcase_add_test(tests, test_hidden_addresses);
	tcase_add_test(tests, test_without_symbols);
	tcase_add_test(tests, test_suggests_names);
	tcase_add_test(tests, test_memory_runs_out);
}
