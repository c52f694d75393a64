// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_trampolines.c: code that signal handlers return to, and the registers that they restore. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/trampolines.h"

#include "unit/suite.h"

static const uint8_t arm64[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };
static const uint8_t x86_64[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

START_TEST(test_finds_trampolines)
{
	struct trampolines found = { 0 };
	uint8_t code[64] = { 0 };

	memcpy(code + 5, x86_64, sizeof(x86_64));
	memcpy(code + sizeof(code) - sizeof(x86_64), x86_64, sizeof(x86_64));
	trampolines__add(&found, EM_X86_64, code, sizeof(code), 0x1000);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_int_ge(trampolines__find(&found, 0x1005), 0);
	ck_assert_int_ge(trampolines__find(&found, 0x1000 + sizeof(code) - sizeof(x86_64)), 0);
	ck_assert_int_eq(trampolines__find(&found, 0x1006), -1);
	found.count = 0;
	trampolines__add(&found, EM_X86_64, code, sizeof(x86_64) + 4, 0x1000);
	trampolines__add(&found, EM_AARCH64, code, sizeof(code), 0x1000);
	trampolines__add(&found, EM_RISCV, code, sizeof(code), 0x1000);
	ck_assert_uint_eq(found.count, 0);
}
END_TEST

/* Instructions of arm64 are aligned, and a file has few trampolines. */
START_TEST(test_few_and_aligned_trampolines)
{
	struct trampolines found = { 0 };
	uint8_t code[128] = { 0 };

	memcpy(code + 2, arm64, sizeof(arm64));
	trampolines__add(&found, EM_AARCH64, code, sizeof(code), 0x1000);
	ck_assert_uint_eq(found.count, 0);
	for (size_t at = 0; at < sizeof(code); at += sizeof(arm64))
		memcpy(code + at, arm64, sizeof(arm64));
	trampolines__add(&found, EM_AARCH64, code, sizeof(code), 0x1000);
	ck_assert_uint_eq(found.count, TRAMPOLINES_MAX);
}
END_TEST

/* The kernel's frame on the stack: each register has its number, plus 1000. */
static void check_step(const void *code, size_t code_bytes, const char *arch, size_t regs_at,
		       size_t pc_at, size_t bytes, const uint8_t *order, uint8_t count)
{
	const struct unwind_machine *machine = unwind_machine__of(arch);
	struct trampolines found = { 0 };
	uint8_t *stack = calloc(1, bytes);
	int kind;
	struct unwind_memory memory = { stack, 0x7000, bytes, false };
	struct unwind_regs regs = { 0 };
	uint64_t value = 0x4444;

	trampolines__add(&found, machine->elf_machine, code, code_bytes, 0x1000);
	kind = trampolines__find(&found, 0x1000);
	ck_assert_int_ge(kind, 0);
	unwind_regs__set(&regs, machine->sp, 0x7000);
	memcpy(stack + pc_at, &value, sizeof(value));
	for (uint8_t i = 0; i < count; i++) {
		value = order ? order[i] + 1000u : i + 1000u;
		memcpy(stack + regs_at + i * sizeof(value), &value, sizeof(value));
	}
	ck_assert(trampolines__step(kind, machine, &memory, &regs));
	ck_assert_uint_eq(regs.pc, 0x4444);
	for (uint8_t reg = 0; reg < count; reg++)
		ck_assert(unwind_regs__get(&regs, reg, &value) && value == reg + 1000u);
	for (memory.bytes = 0; memory.bytes < bytes; memory.bytes += 8) {
		unwind_regs__set(&regs, machine->sp, 0x7000);
		ck_assert(!trampolines__step(kind, machine, &memory, &regs));
	}
	free(stack);
}

START_TEST(test_steps_through_trampoline)
{
	static const uint8_t order[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7 };

	check_step(x86_64, sizeof(x86_64), "x86_64", 40, 168, 176, order, 16);
	check_step(arm64, sizeof(arm64), "aarch64", 312, 568, 576, NULL, 32);
	check_step("\x0a\xad", 2, "s390x", 352, 344, 480, NULL, 16);
	check_step("\x0a\x77", 2, "s390x", 192, 184, 320, NULL, 16);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_trampolines);
	tcase_add_test(tests, test_few_and_aligned_trampolines);
	tcase_add_test(tests, test_steps_through_trampoline);
}
