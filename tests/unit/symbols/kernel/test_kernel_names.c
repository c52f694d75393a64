// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_names.c: BPF programs by time, announced by records. */
#include <errno.h>
#include <string.h>

#include "support/machine/kallsyms.h"
#include "symbols/kernel/kernel_names.h"
#include "unit/fail_alloc.h"
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

/* Records come in any order of addresses. */
START_TEST(test_addresses_are_in_any_order)
{
	static const unsigned char order[] = { 3, 0, 4, 1, 2 };
	struct kernel_names names = { 0 };
	char name[2] = "";

	for (size_t i = 0; i < sizeof(order); i++) {
		name[0] = (char)('a' + order[i]);
		apply(&names, name, FIRST + order[i] * 0x200UL, i + 1, 0);
	}
	for (size_t i = 0; i < sizeof(order); i++) {
		name[0] = (char)('a' + i);
		check(&names, 0, FIRST + i * 0x200, name);
		check(&names, 0, FIRST + i * 0x200 + 0xff, name);
		check(&names, 0, FIRST + i * 0x200 + 0x100, "");
		check(&names, 0, FIRST + i * 0x200 - 1, "");
	}
	apply(&names, "", FIRST + 0x400, 10, PEAT_KSYMBOL_UNREGISTER);
	check(&names, 0, FIRST + 0x400, "");
	check(&names, 9, FIRST + 0x400, "c");
	check(&names, 0, FIRST + 0x200, "b");
	kernel_names__free(&names);
}
END_TEST

/* The latest symbol has the address, not the nearest. */
START_TEST(test_symbols_overlap)
{
	struct kernel_names names = { 0 };

	apply(&names, "first", FIRST + 0x80, 10, 0);
	apply(&names, "again", FIRST + 0x80, 20, 0);
	apply(&names, "later", FIRST, 30, 0);
	check(&names, 15, FIRST + 0x90, "first");
	check(&names, 25, FIRST + 0x90, "again");
	check(&names, 0, FIRST + 0x90, "later");
	check(&names, 0, FIRST + 0x100, "again");
	apply(&names, "", FIRST + 0x80, 40, PEAT_KSYMBOL_UNREGISTER);
	check(&names, 0, FIRST + 0x100, "first");
	apply(&names, "", FIRST + 0x80, 50, PEAT_KSYMBOL_UNREGISTER);
	check(&names, 0, FIRST + 0x100, "");
	check(&names, 45, FIRST + 0x100, "first");
	kernel_names__free(&names);
}
END_TEST

/* The oldest half is removed, wherever its addresses are. */
START_TEST(test_oldest_names_are_removed)
{
	struct kernel_names names = { 0 };
	uint32_t half = KSYMBOLS_MAX / 2;

	for (uint64_t i = 0; i < KSYMBOLS_MAX; i++)
		apply(&names, i < half ? "old" : "new",
		      FIRST + (i < half ? 2 * i : 2 * (i - half) + 1) * 0x100, i + 1, 0);
	check(&names, 0, FIRST, "old");
	apply(&names, "last", FIRST, KSYMBOLS_MAX + 1, 0);
	ck_assert_uint_eq(names.count, half + 1);
	check(&names, 1, FIRST, "");
	check(&names, 0, FIRST, "last");
	check(&names, 0, FIRST + 2 * 0x100, "");
	for (uint64_t i = 0; i < half; i++)
		check(&names, 0, FIRST + (2 * i + 1) * 0x100, "new");
	kernel_names__free(&names);
}
END_TEST

START_TEST(test_failing_allocations)
{
	struct kernel_names names = { 0 };
	const struct peat_record record = {
		.type = PEAT_RECORD_KSYMBOL,
		.ksymbol = { .addr = FIRST, .len = 0x100, .name = "bpf_prog" },
	};

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = kernel_names__apply(&names, &record, 10);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
		check(&names, 0, FIRST, "");
	}
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
	tcase_add_test(tests, test_addresses_are_in_any_order);
	tcase_add_test(tests, test_symbols_overlap);
	tcase_add_test(tests, test_oldest_names_are_removed);
	tcase_add_test(tests, test_failing_allocations);
	tcase_add_test(tests, test_running_kernel);
}
