/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/dwarf/unwind_regs.h: registers and memory of a stack that is unwound.  Pure. */
#ifndef PEAT_SYMBOLS_DWARF_UNWIND_REGS_H
#define PEAT_SYMBOLS_DWARF_UNWIND_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

#define UNWIND_REGS 35 /* DWARF numbers of all machines, without those of vectors */

/* The registers of a machine, by the numbers of DWARF. */
struct unwind_machine {
	uint16_t elf_machine;	   /* EM_* */
	uint8_t sp, fp;		   /* fp: UNWIND_REGS if frames have no such register */
	bool sp_is_cfa;		   /* unless a rule gives the caller's stack pointer */
	uint64_t pc_mask;	   /* bits of code addresses: without signatures */
	uint8_t perf_pc;	   /* numbers of PERF_REG_* */
	uint8_t perf[UNWIND_REGS]; /* UINT8_MAX: not sampled */
};

/* By the output of uname -m; NULL: stacks of that machine are not unwound. */
const struct unwind_machine *unwind_machine__of(const char *arch);

struct unwind_regs {
	uint64_t pc;
	uint64_t known; /* a bit per register */
	uint64_t value[UNWIND_REGS];
};

/* False: the registers lack the program counter or the stack pointer, or are of a 32-bit task. */
bool unwind_regs__read(const struct unwind_machine *machine, const struct peat_regs *sampled,
		       struct unwind_regs *regs);

static inline bool unwind_regs__get(const struct unwind_regs *regs, uint64_t reg, uint64_t *value)
{
	if (reg >= UNWIND_REGS || !(regs->known >> reg & 1))
		return false;
	*value = regs->value[reg];
	return true;
}

static inline void unwind_regs__set(struct unwind_regs *regs, uint8_t reg, uint64_t value)
{
	regs->value[reg] = value;
	regs->known |= UINT64_C(1) << reg;
}

/* A copy of the stack, from its stack pointer on. */
struct unwind_memory {
	const uint8_t *stack;
	uint64_t start, bytes;
	bool swapped; /* of the other byte order */
};

/* Reads 1, 2, 4 or 8 bytes.  False: the copy does not have them. */
bool unwind_memory__read(const struct unwind_memory *memory, uint64_t address, unsigned bytes,
			 uint64_t *value);

/* Reads 8 bytes. */
static inline bool unwind_memory__word(const struct unwind_memory *memory, uint64_t address,
				       uint64_t *value)
{
	const uint64_t at = address - memory->start;

	if (at > memory->bytes || memory->bytes - at < sizeof(*value))
		return false;
	*value = load_u64(memory->stack + at, memory->swapped);
	return true;
}

#endif /* PEAT_SYMBOLS_DWARF_UNWIND_REGS_H */
