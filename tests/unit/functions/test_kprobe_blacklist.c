// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kprobe_blacklist.c: functions that kprobes may not probe. */
#include <errno.h>
#include <string.h>

#include "functions/kprobe_blacklist.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static const char text[] = "0xffffffff81002000-0xffffffff81002100\tdo_int3\n"
			   "0xffffffff81001000-0xffffffff81001800\tarea\n"
			   "0xffffffff81001100-0xffffffff81001180\tin_area\n"
			   "not a range\n"
			   "0xffffffff81003000-0xffffffff81003010";

static bool has(const struct kprobe_blacklist *list, const char *name, uint64_t address)
{
	const struct kernel_function function = { .address = address,
						  .name = { name, strlen(name) } };

	return kprobe_blacklist__has(list, &function);
}

START_TEST(test_compares_addresses)
{
	struct kprobe_blacklist list;

	ck_assert_int_eq(kprobe_blacklist__parse(&list, text), 0);
	ck_assert_uint_eq(list.count, 4);
	ck_assert(has(&list, "alias_of_int3", 0xffffffff81002000));
	ck_assert(has(&list, "f", 0xffffffff810020ff));
	ck_assert(!has(&list, "f", 0xffffffff81002100));
	ck_assert(!has(&list, "do_int3", 0xffffffff81000fff));
	ck_assert(has(&list, "f", 0xffffffff81001000));
	ck_assert(has(&list, "f", 0xffffffff81001200)); /* after in_area */
	ck_assert(!has(&list, "f", 0xffffffff81001800));
	ck_assert(has(&list, "f", 0xffffffff81003008));
	kprobe_blacklist__free(&list);
}
END_TEST

START_TEST(test_compares_names_without_addresses)
{
	struct kprobe_blacklist list;

	ck_assert_int_eq(kprobe_blacklist__parse(&list, text), 0);
	ck_assert(has(&list, "do_int3", 0));
	ck_assert(!has(&list, "do_int", 0));
	kprobe_blacklist__free(&list);
	ck_assert_int_eq(
		kprobe_blacklist__parse(&list, "0x0000000000000000-0x0000000000000000\tf\n"), 0);
	ck_assert(has(&list, "f", 0xffffffff81002000));
	ck_assert(!has(&list, "g", 0xffffffff81002000));
	kprobe_blacklist__free(&list);
}
END_TEST

START_TEST(test_no_list_has_nothing)
{
	struct kprobe_blacklist list;

	ck_assert_int_eq(kprobe_blacklist__parse(&list, NULL), 0);
	ck_assert(!has(&list, "f", 0xffffffff81002000));
	ck_assert(!has(&list, "f", 0));
	kprobe_blacklist__free(&list);
}
END_TEST

START_TEST(test_other_lines_are_skipped)
{
	static const char *const lines[] = { "0x10",	     "0x10-",	   "0x10-0x",
					     "0x10-20\tf",   "10-0x20\tf", "0x10-0x20x\tf",
					     "0x10_0x20\tf", "-0x20\tf",   "\n\n" };
	struct kprobe_blacklist list;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		ck_assert_int_eq(kprobe_blacklist__parse(&list, lines[i]), 0);
		ck_assert_msg(!list.count, "%s", lines[i]);
		kprobe_blacklist__free(&list);
	}
}
END_TEST

START_TEST(test_memory_runs_out)
{
	long blocks = fail_alloc__blocks();
	struct kprobe_blacklist list;
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = kprobe_blacklist__parse(&list, text);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		failures += err == -ENOMEM;
		ck_assert(!err || err == -ENOMEM);
	}
	kprobe_blacklist__free(&list);
	ck_assert_uint_le(failures, 2);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_compares_addresses);
	tcase_add_test(tests, test_compares_names_without_addresses);
	tcase_add_test(tests, test_no_list_has_nothing);
	tcase_add_test(tests, test_other_lines_are_skipped);
	tcase_add_test(tests, test_memory_runs_out);
}
