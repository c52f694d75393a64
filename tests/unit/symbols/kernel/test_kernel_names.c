// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_names.c: BPF programs by time, announced by records. */
#include <string.h>

#include "support/machine/kallsyms.h"
#include "symbols/kernel/kernel_names.h"
#include "unit/suite.h"

/* Addresses at which no kernel has code. */
#define FIRST 0x1000

static void apply(struct kernel_names *names, const char *name, uint64_t begin, uint64_t time_ns,
		  uint16_t flags)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_KSYMBOL,
		.ksymbol = { .addr = begin, .len = 0x100, .flags = flags, .name = name },
	};

	ck_assert_int_eq(kernel_names__apply(names, &record, time_ns), 0);
}

static void check(struct kernel_names *names, uint64_t time_ns, uint64_t address, const char *name)
{
	struct kernel_symbol found = { "", "", 0 };
	bool has = kernel_names__find(names, SYMBOLS_NONE, time_ns, address, &found);

	ck_assert_str_eq(found.name, name);
	ck_assert_int_eq(has, *name != 0);
	if (has)
		ck_assert_str_eq(found.owner, "[bpf]");
}

START_TEST(test_programs_are_named_by_time)
{
	struct kernel_names names = { 0 };

	check(&names, 10, FIRST, "");
	apply(&names, "bpf_prog_a", FIRST, 10, 0);
	apply(&names, "bpf_prog_a", FIRST, 20, PEAT_KSYMBOL_UNREGISTER);
	apply(&names, "bpf_prog_b", FIRST, 30, 0);
	check(&names, 5, FIRST, "");
	check(&names, 15, FIRST + 0xff, "bpf_prog_a");
	check(&names, 15, FIRST + 0x100, "");
	check(&names, 25, FIRST, "");
	check(&names, 35, FIRST, "bpf_prog_b");
	check(&names, 0, FIRST, "bpf_prog_b");
	kernel_names__free(&names);
}
END_TEST

START_TEST(test_other_records)
{
	struct kernel_names names = { 0 };
	const struct peat_record record = { .type = PEAT_RECORD_SWITCH };

	ck_assert_int_eq(kernel_names__apply(&names, &record, 1), 0);
	apply(&names, "unknown", FIRST, 10, PEAT_KSYMBOL_UNREGISTER);
	apply(&names, "at the end", UINT64_MAX - 5, 10, 0);
	ck_assert_uint_eq(names.count, 0);
	kernel_names__free(&names);
}
END_TEST

START_TEST(test_names_are_bounded)
{
	struct kernel_names names = { 0 };

	for (uint64_t i = 0; i < 5 * KSYMBOLS_MAX; i++)
		apply(&names, "bpf_prog", FIRST + (i % 100) * 0x100, i + 1, 0);
	ck_assert_uint_le(names.count, KSYMBOLS_MAX);
	ck_assert_uint_le(names.room, KSYMBOLS_MAX);
	check(&names, 0, FIRST, "bpf_prog");
	kernel_names__free(&names);
}
END_TEST

START_TEST(test_running_kernel)
{
	struct kernel_names names = { 0 };
	struct kernel_symbol found;
	const char *start;
	uint64_t address;

	if (!kallsyms__text(&start, &address))
		skip("kernel addresses are hidden");
	address += 0x10000;
	ck_assert(kernel_names__find(&names, SYMBOLS_ALL, 0, address, &found));
	ck_assert(kallsyms__is_at(found.name, address - found.offset));
	ck_assert_str_eq(found.owner, "[kernel]");
	ck_assert(!kernel_names__find(&names, SYMBOLS_NONE, 0, address, &found));
	kernel_names__free(&names);
}
END_TEST

/* Records of users who may not see addresses. */
START_TEST(test_hidden_addresses_are_ignored)
{
	struct kernel_names names = { 0 };

	apply(&names, "bpf_prog_hidden", 0, 10, 0);
	check(&names, 15, 0, "");
	check(&names, 15, 0x80, "");
	ck_assert_uint_eq(names.count, 0);
	kernel_names__free(&names);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_programs_are_named_by_time);
	tcase_add_test(tests, test_other_records);
	tcase_add_test(tests, test_hidden_addresses_are_ignored);
	tcase_add_test(tests, test_names_are_bounded);
	tcase_add_test(tests, test_running_kernel);
}
