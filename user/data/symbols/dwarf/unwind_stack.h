/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/dwarf/unwind_stack.h: makes addresses of frames of registers and a copy of the stack. */
#ifndef PEAT_SYMBOLS_DWARF_UNWIND_STACK_H
#define PEAT_SYMBOLS_DWARF_UNWIND_STACK_H

#include "symbols/dwarf/unwind_regs.h"
#include "symbols/dwarf/unwind_table.h"

#define UNWIND_FRAMES_MAX 127 /* as perf */

struct unwind_frame {
	uint64_t pc;
	/*
	 * The frame was interrupted at pc, or called by the kernel.  False: pc is returned to, and
	 * the call is before it.
	 */
	bool is_exact;
	bool is_guess; /* found by a frame pointer, or after such a frame */
};

/* Code in memory: its file's table, and the address in the file. */
struct unwind_code {
	struct unwind_table
		*table; /* NULL: the file has no call frame information, or is unknown */
	uint64_t vaddr;
};

/* Finds the code at an address.  False: nothing is mapped there. */
typedef bool (*unwind_find)(void *ctx, uint64_t address, struct unwind_code *code);

/*
 * Stores the frames of a stack, innermost first, at most `max`.  Follows frame pointers through
 * code without call frame information.  Ends with the copy of the stack.  Returns the number of
 * frames, at least 1.
 */
size_t unwind_stack(const struct unwind_machine *machine, const struct unwind_regs *start,
		    const struct unwind_memory *memory, unwind_find find, void *ctx,
		    struct unwind_frame *frames, size_t max);

#endif /* PEAT_SYMBOLS_DWARF_UNWIND_STACK_H */
