/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/trampolines.h: the code that signal handlers return to, found by its instructions.
 *
 * Most libraries describe it by call frame information.  musl does not, nor does the vdso of s390x,
 * nor that of arm64 in some kernels.  Pure.
 */
#ifndef PEAT_SYMBOLS_DWARF_TRAMPOLINES_H
#define PEAT_SYMBOLS_DWARF_TRAMPOLINES_H

#include "symbols/dwarf/unwind_regs.h"

#define TRAMPOLINES_MAX 4

/* Their addresses, for a file. */
struct trampolines {
	uint64_t vaddr[TRAMPOLINES_MAX];
	uint8_t kind[TRAMPOLINES_MAX];
	unsigned count;
};

/* Adds the trampolines in code of a machine, EM_*, at address `vaddr`. */
void trampolines__add(struct trampolines *trampolines, uint16_t elf_machine, const void *code,
		      size_t bytes, uint64_t vaddr);

/* Whether there is a kind of that number. */
bool trampolines__has_kind(unsigned kind);

/* The kind of a trampoline at an address; -1: there is none. */
int trampolines__find(const struct trampolines *trampolines, uint64_t vaddr);

/*
 * Replaces the registers at a trampoline of that kind by those of the interrupted code, which the
 * kernel stored on the stack.  False: the stack's copy does not have them.
 */
bool trampolines__step(int kind, const struct unwind_machine *machine,
		       const struct unwind_memory *memory, struct unwind_regs *regs);

#endif /* PEAT_SYMBOLS_DWARF_TRAMPOLINES_H */
