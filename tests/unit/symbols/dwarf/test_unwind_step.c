// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_unwind_step.c: callers' registers by each kind of rule, on a stack that is made up. */
#include <string.h>

#include "symbols/dwarf/unwind_step.h"

#include "unit/suite.h"

#define START UINT64_C(0x7000)
#define MANY  64

static uint64_t stack[MANY];
static const struct unwind_memory memory = { (const uint8_t *)stack, START, sizeof(stack), false };
static uint8_t expressions[] = { 0x77, 0x18, /* r7 + 24 */ 0x23, 0x10 /* the CFA + 16 */ };
static const struct cfi_section section = { .bytes = expressions, .count = sizeof(expressions) };

static struct unwind_regs regs_of(const struct unwind_machine *machine)
{
	struct unwind_regs regs = { .pc = 0x1000 };

	unwind_regs__set(&regs, machine->sp, START);
	return regs;
}

static void add_rule(struct cfi_row *row, uint8_t reg, struct cfi_rule rule)
{
	row->rules[__builtin_popcountll(row->changed)] = rule;
	row->changed |= UINT64_C(1) << reg;
}

static struct cfi_rule at(int32_t offset)
{
	return (struct cfi_rule){ .kind = CFI_OFFSET, .number = offset };
}

/* A row with the CFA at r7 + 16, and the return address below it. */
static struct cfi_row x86_row(void)
{
	struct cfi_row row = { .return_register = 16 };

	row.cfa = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = 7, .number = 16 };
	return row;
}

START_TEST(test_steps_by_rules)
{
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	struct unwind_regs regs = regs_of(machine);
	struct cfi_row row = x86_row();
	uint64_t value;

	stack[0] = 0x3333;
	stack[1] = 0x2000;
	stack[4] = 0x4444;
	unwind_regs__set(&regs, 1, 0x1111);
	unwind_regs__set(&regs, 2, 0x2222);
	add_rule(&row, 2, (struct cfi_rule){ .kind = CFI_UNDEFINED });
	add_rule(&row, 3, at(-16));
	add_rule(&row, 4, (struct cfi_rule){ .kind = CFI_VALUE, .number = 4 });
	add_rule(&row, 5, (struct cfi_rule){ .kind = CFI_REGISTER, .reg = 1 });
	add_rule(&row, 6, (struct cfi_rule){ CFI_EXPRESSION, 0, 2, 2 });
	add_rule(&row, 8, (struct cfi_rule){ CFI_VALUE_EXPRESSION, 0, 2, 0 });
	add_rule(&row, 9, at(8 * MANY));
	add_rule(&row, 16, at(-8));
	ck_assert(unwind_step__by_row(machine, &section, &row, &memory, &regs));
	ck_assert_uint_eq(regs.pc, 0x2000);
	ck_assert_uint_eq(regs.value[7], START + 16);
	ck_assert_uint_eq(regs.value[1], 0x1111);
	ck_assert(!unwind_regs__get(&regs, 2, &value));
	ck_assert_uint_eq(regs.value[3], 0x3333);
	ck_assert_uint_eq(regs.value[4], START + 20);
	ck_assert_uint_eq(regs.value[5], 0x1111);
	ck_assert_uint_eq(regs.value[6], 0x4444);
	ck_assert_uint_eq(regs.value[8], START + 24);
	ck_assert(!unwind_regs__get(&regs, 9, &value));
}
END_TEST

/* The stack ends: without a return address, at 0, and where its memory ends. */
START_TEST(test_stack_ends)
{
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	const struct unwind_regs start = regs_of(machine);
	struct unwind_regs regs = start;
	struct cfi_row row = x86_row();

	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
	add_rule(&row, 16, at(-8));
	stack[1] = 0;
	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
	row.rules[0] = at(8 * MANY - 16);
	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
	row.rules[0].kind = CFI_UNDEFINED;
	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
	row.rules[0] = at(-8);
	row.cfa.reg = 20;
	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
	ck_assert_mem_eq(&regs, &start, sizeof(regs));
}
END_TEST

/* A leaf function of arm64 has its return address in lr, with a signature in the high bits. */
START_TEST(test_steps_through_leaf_of_arm64)
{
	const struct unwind_machine *machine = unwind_machine__of("aarch64");
	struct unwind_regs regs = regs_of(machine);
	struct cfi_row row = { .return_register = 30 };

	row.cfa = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = 31 };
	unwind_regs__set(&regs, 30, 0x0055aaaabbbbccccULL);
	ck_assert(unwind_step__by_row(machine, &section, &row, &memory, &regs));
	ck_assert_uint_eq(regs.pc, 0xaaaabbbbccccULL);
	ck_assert_uint_eq(regs.value[31], START);
	/* The same frame again would not end. */
	ck_assert(!unwind_step__by_row(machine, &section, &row, &memory, &regs));
}
END_TEST

/* The CFA of s390x is 160 bytes above the stack pointer, which a leaf function keeps. */
START_TEST(test_steps_on_s390x)
{
	const struct unwind_machine *machine = unwind_machine__of("s390x");
	struct unwind_regs regs = regs_of(machine);
	struct cfi_row row = { .return_register = 14 };

	row.cfa = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = 15, .number = 160 };
	unwind_regs__set(&regs, 14, 0x2000);
	ck_assert(unwind_step__by_row(machine, &section, &row, &memory, &regs));
	ck_assert_uint_eq(regs.value[15], START);
	stack[15] = START + 160;
	stack[14] = 0x3000;
	add_rule(&row, 14, at(14 * 8 - 160));
	add_rule(&row, 15, at(15 * 8 - 160));
	ck_assert(unwind_step__by_row(machine, &section, &row, &memory, &regs));
	ck_assert_uint_eq(regs.pc, 0x3000);
	ck_assert_uint_eq(regs.value[15], START + 160);
	ck_assert(!unwind_step__by_frame_pointer(machine, &memory, &regs));
}
END_TEST

START_TEST(test_frame_pointer)
{
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	struct unwind_regs regs = regs_of(machine);

	stack[2] = START + 64;
	stack[3] = 0x2000;
	ck_assert(!unwind_step__by_frame_pointer(machine, &memory, &regs));
	unwind_regs__set(&regs, machine->fp, START - 8);
	ck_assert(!unwind_step__by_frame_pointer(machine, &memory, &regs));
	unwind_regs__set(&regs, machine->fp, START + 0x4001);
	ck_assert(!unwind_step__by_frame_pointer(machine, &memory, &regs));
	unwind_regs__set(&regs, machine->fp, START + 16);
	ck_assert(unwind_step__by_frame_pointer(machine, &memory, &regs));
	ck_assert_uint_eq(regs.pc, 0x2000);
	ck_assert_uint_eq(regs.value[machine->sp], START + 32);
	ck_assert_uint_eq(regs.value[machine->fp], START + 64);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_steps_by_rules);
	tcase_add_test(tests, test_stack_ends);
	tcase_add_test(tests, test_steps_through_leaf_of_arm64);
	tcase_add_test(tests, test_steps_on_s390x);
	tcase_add_test(tests, test_frame_pointer);
}
