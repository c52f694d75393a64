// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_unwind_regs.c: sampled registers by the numbers of DWARF, and memory of the stack. */
#include <byteswap.h>
#include <string.h>

#include "symbols/dwarf/unwind_regs.h"

#include "unit/suite.h"

#define X86_MASK   UINT64_C(0xff0fff) /* without segment registers */
#define ARM64_MASK UINT64_C(0x1ffffffff)
#define S390X_MASK UINT64_C(0x3ffffffff)

/* The value of each sampled register is its number of PERF_REG_*, plus 1000. */
static struct peat_regs sampled(uint64_t mask)
{
	static uint64_t values[64];
	uint64_t count = 0;

	for (unsigned reg = 0; reg < 64; reg++)
		if (mask >> reg & 1)
			values[count++] = 1000 + reg;
	return (struct peat_regs){ PEAT_REGS_ABI_64, mask, { values, count, false } };
}

START_TEST(test_x86_64)
{
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	const struct peat_regs from = sampled(X86_MASK);
	struct unwind_regs regs;
	uint64_t value;

	ck_assert(unwind_regs__read(machine, &from, &regs));
	ck_assert_uint_eq(regs.pc, 1008);
	ck_assert_uint_eq(regs.value[machine->sp], 1007);
	ck_assert_uint_eq(regs.value[machine->fp], 1006);
	ck_assert_uint_eq(regs.value[1], 1003); /* dx */
	ck_assert_uint_eq(regs.value[15], 1023);
	ck_assert(unwind_regs__get(&regs, 16, &value) && value == 1008);
	ck_assert(!unwind_regs__get(&regs, 17, &value));
	ck_assert(!unwind_regs__get(&regs, 100, &value));
}
END_TEST

START_TEST(test_reads_registers_of_arm64)
{
	const struct unwind_machine *machine = unwind_machine__of("aarch64");
	const struct peat_regs from = sampled(ARM64_MASK);
	struct unwind_regs regs;

	ck_assert(unwind_regs__read(machine, &from, &regs));
	ck_assert_uint_eq(regs.pc, 1032);
	ck_assert_uint_eq(regs.value[machine->sp], 1031);
	ck_assert_uint_eq(regs.value[machine->fp], 1029);
	ck_assert_uint_eq(regs.value[30], 1030);
	ck_assert_ptr_eq(machine, unwind_machine__of("arm64"));
}
END_TEST

START_TEST(test_reads_registers_of_s390x)
{
	const struct unwind_machine *machine = unwind_machine__of("s390x");
	const struct peat_regs from = sampled(S390X_MASK), few = sampled(UINT64_C(0x30000ffff));
	struct unwind_regs regs;
	uint64_t value;

	ck_assert(unwind_regs__read(machine, &from, &regs));
	ck_assert_uint_eq(regs.pc, 1033);
	ck_assert_uint_eq(regs.value[machine->sp], 1015);
	ck_assert_uint_eq(regs.value[17], 1018); /* f2 */
	ck_assert(unwind_regs__read(machine, &few, &regs));
	ck_assert_uint_eq(regs.pc, 1033);
	ck_assert(!unwind_regs__get(&regs, 17, &value));
}
END_TEST

START_TEST(test_incomplete_registers_are_refused)
{
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	struct peat_regs from = sampled(X86_MASK & ~(UINT64_C(1) << 7));
	struct unwind_regs regs;

	ck_assert(!unwind_regs__read(machine, &from, &regs)); /* no stack pointer */
	from = sampled(X86_MASK & ~(UINT64_C(1) << 8));
	ck_assert(!unwind_regs__read(machine, &from, &regs)); /* no program counter */
	from = sampled(X86_MASK);
	from.abi = PEAT_REGS_ABI_32;
	ck_assert(!unwind_regs__read(machine, &from, &regs));
	from = sampled(X86_MASK);
	from.values.count = 3;
	ck_assert(!unwind_regs__read(machine, &from, &regs));
	ck_assert_ptr_null(unwind_machine__of("riscv64"));
	ck_assert_ptr_null(unwind_machine__of(NULL));
}
END_TEST

START_TEST(test_reads_within_memory)
{
	const uint64_t words[] = { 0x1122334455667788, 2 };
	struct unwind_memory memory = { (const uint8_t *)words, 0x1000, sizeof(words), false };
	uint64_t value;

	ck_assert(unwind_memory__read(&memory, 0x1000, 8, &value) && value == words[0]);
	ck_assert(unwind_memory__read(&memory, 0x1008, 8, &value) && value == 2);
	ck_assert(!unwind_memory__read(&memory, 0x1009, 8, &value));
	ck_assert(!unwind_memory__read(&memory, 0x1010, 1, &value));
	ck_assert(!unwind_memory__read(&memory, 0xfff, 8, &value));
	ck_assert(!unwind_memory__read(&memory, UINT64_MAX, 8, &value));
	ck_assert(!unwind_memory__read(&memory, 0, 8, &value));
	memory.swapped = true;
	ck_assert(unwind_memory__read(&memory, 0x1000, 8, &value));
	ck_assert_uint_eq(value, bswap_64(words[0]));
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_x86_64);
	tcase_add_test(tests, test_reads_registers_of_arm64);
	tcase_add_test(tests, test_reads_registers_of_s390x);
	tcase_add_test(tests, test_incomplete_registers_are_refused);
	tcase_add_test(tests, test_reads_within_memory);
}
