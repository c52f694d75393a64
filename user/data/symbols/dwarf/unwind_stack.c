// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/unwind_stack.c: unwinds frame by frame. */
#include "symbols/dwarf/unwind_stack.h"
#include "symbols/dwarf/unwind_step.h"

struct unwinding {
	const struct unwind_machine *machine;
	const struct unwind_memory *memory;
	unwind_find find;
	void *ctx;
	struct unwind_regs regs;
	bool is_guess;	       /* a frame pointer led to the frame */
	bool is_exact;	       /* regs.pc was interrupted, not called from */
	uint32_t instructions; /* left for rows */
};

/*
 * Rules of a frame are those at its call, which is before the address that is returned to: that
 * may be in the next function.  The frame that the kernel made for a signal handler was never
 * called, but its rules begin one byte before it for this reason.
 */
static bool find_code(const struct unwinding *unwinding, struct unwind_code *code)
{
	const uint64_t address = unwinding->regs.pc - !unwinding->is_exact;

	return unwinding->find(unwinding->ctx, address, code) && code->table &&
	       unwind_table__machine(code->table) == unwinding->machine->elf_machine;
}

static bool step_by_row(struct unwinding *unwinding, const struct cfi_section *section,
			const struct cfi_row *row)
{
	return unwind_step__by_row(unwinding->machine, section, row, unwinding->memory,
				   &unwinding->regs);
}

/* The kind of the trampoline at the frame, -1: it is none. */
static int find_trampoline(const struct unwinding *unwinding, const struct unwind_code *code)
{
	return trampolines__find(unwind_table__trampolines(code->table),
				 code->vaddr + !unwinding->is_exact);
}

/* Goes to the caller of the frame.  False: there is none. */
static bool step(struct unwinding *unwinding, struct unwind_frame *frame)
{
	const struct cfi_section *section;
	const struct cfi_row *row = NULL;
	struct unwind_code code = { 0 };
	int trampoline = -1;
	bool is_signal;

	if (find_code(unwinding, &code)) {
		row = unwind_table__find(code.table, code.vaddr, &unwinding->instructions,
					 &section);
		trampoline = row ? -1 : find_trampoline(unwinding, &code);
	}
	is_signal = trampoline >= 0 || (row && row->is_signal);
	frame->is_exact = unwinding->is_exact || is_signal;
	unwinding->is_exact = is_signal;
	if (row)
		return step_by_row(unwinding, section, row);
	if (is_signal)
		return trampolines__step(trampoline, unwinding->machine, unwinding->memory,
					 &unwinding->regs);
	unwinding->is_guess = true;
	return unwind_step__by_frame_pointer(unwinding->machine, unwinding->memory,
					     &unwinding->regs);
}

size_t unwind_stack(const struct unwind_machine *machine, const struct unwind_regs *start,
		    const struct unwind_memory *memory, unwind_find find, void *ctx,
		    struct unwind_frame *frames, size_t max)
{
	struct unwinding unwinding = { machine, memory, find, ctx,
				       *start,	false,	true, BUDGET_STACK_INSTRUCTIONS };
	size_t count = 0;

	while (count < max) {
		frames[count].pc = unwinding.regs.pc;
		frames[count].is_guess = unwinding.is_guess;
		if (!step(&unwinding, &frames[count++]))
			break;
	}
	return count;
}
