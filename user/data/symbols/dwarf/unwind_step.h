/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/dwarf/unwind_step.h: the registers of a frame's caller.  Pure. */
#ifndef PEAT_SYMBOLS_DWARF_UNWIND_STEP_H
#define PEAT_SYMBOLS_DWARF_UNWIND_STEP_H

#include "symbols/dwarf/cfi_row.h"
#include "symbols/dwarf/unwind_regs.h"

/*
 * Replaces the registers by those of the caller, by a row of `section`.  False: the frame has no
 * caller, or the stack's copy does not reach it.
 */
bool unwind_step__by_row(const struct unwind_machine *machine, const struct cfi_section *section,
			 const struct cfi_row *row, const struct unwind_memory *memory,
			 struct unwind_regs *regs);

/*
 * Likewise for code without call frame information, whose frames may have frame pointers: x86-64
 * and arm64.  False also for a frame pointer that is not in the stack near the stack pointer.
 */
bool unwind_step__by_frame_pointer(const struct unwind_machine *machine,
				   const struct unwind_memory *memory, struct unwind_regs *regs);

#endif /* PEAT_SYMBOLS_DWARF_UNWIND_STEP_H */
