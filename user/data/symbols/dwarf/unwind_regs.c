// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/unwind_regs.c: sampled registers by the numbers of DWARF. */
#include <elf.h>
#include <string.h>

#include "symbols/dwarf/dwarf_cursor.h"
#include "symbols/dwarf/unwind_regs.h"

#define NONE UINT8_MAX

/* rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, and the return address. */
static const struct unwind_machine x86_64 = {
	.elf_machine = EM_X86_64,
	.sp = 7,
	.fp = 6,
	.sp_is_cfa = true,
	.pc_mask = UINT64_MAX,
	.perf_pc = 8,
	.perf = { 0,	3,    2,    1,	  4,	5,    6,    7,	  16,	17,   18,   19,
		  20,	21,   22,   23,	  8,	NONE, NONE, NONE, NONE, NONE, NONE, NONE,
		  NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE },
};

/* x0 to x30, and sp.  User addresses have 48 bits; above are signatures (PAC) and tags. */
static const struct unwind_machine arm64 = {
	.elf_machine = EM_AARCH64,
	.sp = 31,
	.fp = 29,
	.sp_is_cfa = true,
	.pc_mask = (UINT64_C(1) << 48) - 1,
	.perf_pc = 32,
	.perf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,	15,   16,  17,
		  18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, NONE, NONE, NONE },
};

/* r0 to r15, then f0, f2, f4, f6, f1, f3, f5, f7, f8, f10, f12, f14, f9, f11, f13, f15. */
static const struct unwind_machine s390x = {
	.elf_machine = EM_S390,
	.sp = 15,
	.fp = UNWIND_REGS,
	.pc_mask = UINT64_MAX,
	.perf_pc = 33,
	.perf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,	15,   16,  18,
		  20, 22, 17, 19, 21, 23, 24, 26, 28, 30, 25, 27, 29, 31, NONE, NONE, NONE },
};

const struct unwind_machine *unwind_machine__of(const char *arch)
{
	if (!arch)
		return NULL;
	if (!strcmp(arch, "x86_64"))
		return &x86_64;
	if (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64"))
		return &arm64;
	return !strcmp(arch, "s390x") ? &s390x : NULL;
}

/* The values are those of the bits of the mask, in their order. */
static bool find_value(const struct peat_regs *sampled, uint8_t reg, uint64_t *value)
{
	uint64_t at;

	if (reg >= 64 || !(sampled->mask >> reg & 1))
		return false;
	at = (uint64_t)__builtin_popcountll(sampled->mask & ((UINT64_C(1) << reg) - 1));
	if (at >= sampled->values.count)
		return false;
	*value = peat_words__at(&sampled->values, at);
	return true;
}

bool unwind_regs__read(const struct unwind_machine *machine, const struct peat_regs *sampled,
		       struct unwind_regs *regs)
{
	uint64_t value;

	regs->known = 0;
	if (sampled->abi != PEAT_REGS_ABI_64 || !find_value(sampled, machine->perf_pc, &regs->pc))
		return false;
	for (uint8_t reg = 0; reg < UNWIND_REGS; reg++)
		if (find_value(sampled, machine->perf[reg], &value))
			unwind_regs__set(regs, reg, value);
	return regs->known >> machine->sp & 1;
}

bool unwind_memory__read(const struct unwind_memory *memory, uint64_t address, unsigned bytes,
			 uint64_t *value)
{
	const uint64_t at = address - memory->start;
	struct cursor cur = { .swapped = memory->swapped };

	if (address < memory->start || at > memory->bytes || memory->bytes - at < bytes)
		return false;
	cur.at = memory->stack + at;
	cur.end = cur.at + bytes;
	*value = dwarf_cursor__uint(&cur, bytes);
	return !cur.bad;
}
