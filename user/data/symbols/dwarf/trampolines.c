// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/trampolines.c: the code that signal handlers return to. */
#include <elf.h>
#include <string.h>

#include "symbols/dwarf/trampolines.h"

#define WORD sizeof(uint64_t)

/* The system call rt_sigreturn; sigreturn, for handlers without siginfo. */
static const uint8_t x86_64_code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
static const uint8_t arm64_code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };
static const uint8_t s390x_code[] = { 0x0a, 0xad };
static const uint8_t s390x_old_code[] = { 0x0a, 0x77 };

/*
 * Offsets from the stack pointer to the registers, in the kernel's struct rt_sigframe.  The
 * registers are listed by the numbers of DWARF, in the order of the kernel's struct sigcontext.
 */
static const struct frame {
	uint16_t elf_machine;
	uint8_t align; /* of instructions */
	uint8_t code_bytes;
	const uint8_t *code;
	uint16_t regs_at, pc_at;
	uint8_t count;
	uint8_t regs[32];
} frames[] = {
	/* struct ucontext is at sp: the handler's return address was popped. */
	{ EM_X86_64,
	  1,
	  sizeof(x86_64_code),
	  x86_64_code,
	  40,
	  40 + 16 * WORD,
	  16,
	  { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7 } },
	/* After struct siginfo, 128 bytes, struct sigcontext is at 176 of struct ucontext. */
	{ EM_AARCH64,
	  4,
	  sizeof(arm64_code),
	  arm64_code,
	  312,
	  312 + 32 * WORD,
	  32,
	  { 0,	1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11, 12, 13, 14, 15,
	    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 } },
	/* After 160 bytes for the handler, an instruction and struct siginfo; the PSW comes first.
	 */
	{ EM_S390,
	  2,
	  sizeof(s390x_code),
	  s390x_code,
	  352,
	  344,
	  16,
	  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
	/* After 160 bytes for the handler, a signal mask and a pointer. */
	{ EM_S390,
	  2,
	  sizeof(s390x_old_code),
	  s390x_old_code,
	  192,
	  184,
	  16,
	  { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
};

#define KINDS ((int)(sizeof(frames) / sizeof(*frames)))

static void add_kind(struct trampolines *trampolines, int kind, const uint8_t *code, size_t bytes,
		     uint64_t vaddr)
{
	const struct frame *frame = &frames[kind];
	const uint8_t *at = code, *end = at + bytes;

	while (trampolines->count < TRAMPOLINES_MAX) {
		const uint8_t *found =
			memmem(at, (size_t)(end - at), frame->code, frame->code_bytes);
		uint64_t found_vaddr;

		if (!found)
			return;
		found_vaddr = vaddr + (uint64_t)(found - code);
		if (found_vaddr % frame->align == 0) {
			trampolines->kind[trampolines->count] = (uint8_t)kind;
			trampolines->vaddr[trampolines->count++] = found_vaddr;
		}
		at = found + 1;
	}
}

void trampolines__add(struct trampolines *trampolines, uint16_t elf_machine, const void *code,
		      size_t bytes, uint64_t vaddr)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (frames[kind].elf_machine == elf_machine)
			add_kind(trampolines, kind, code, bytes, vaddr);
}

bool trampolines__has_kind(unsigned kind)
{
	return kind < (unsigned)KINDS;
}

int trampolines__find(const struct trampolines *trampolines, uint64_t vaddr)
{
	for (unsigned i = 0; i < trampolines->count; i++)
		if (trampolines->vaddr[i] == vaddr)
			return trampolines->kind[i];
	return -1;
}

bool trampolines__step(int kind, const struct unwind_machine *machine,
		       const struct unwind_memory *memory, struct unwind_regs *regs)
{
	const struct frame *frame = &frames[kind];
	struct unwind_regs interrupted = { 0 };
	uint64_t sp, value;

	if (!unwind_regs__get(regs, machine->sp, &sp))
		return false;
	for (uint8_t i = 0; i < frame->count; i++) {
		if (!unwind_memory__word(memory, sp + frame->regs_at + i * WORD, &value))
			return false;
		unwind_regs__set(&interrupted, frame->regs[i], value);
	}
	if (!unwind_memory__word(memory, sp + frame->pc_at, &interrupted.pc) || !interrupted.pc)
		return false;
	*regs = interrupted;
	return true;
}
