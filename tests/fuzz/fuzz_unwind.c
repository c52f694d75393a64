// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_unwind.c: entries, rows and steps of call frame information on anything.
 *
 * Input: a byte of flags (1: .eh_frame, 2: the other byte order, 4: addresses of 4 bytes, 8:
 * arm64), 64 bytes of stack, then the section.  Each function found is stepped out of, at its first
 * address and at one inside.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/unwind_step.h"

#define STACK_BYTES  64
#define START	     0x7000
#define INSTRUCTIONS 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void step(const struct cfi_section *section, uint64_t vaddr,
		 const struct unwind_machine *machine, const struct unwind_memory *memory)
{
	struct unwind_regs regs = { .pc = vaddr }, before;
	uint32_t instructions = INSTRUCTIONS;
	struct cfi_entry entry;
	struct cfi_row row;

	if (!cfi_section__find(section, vaddr, &entry))
		return;
	require(vaddr - entry.start < entry.bytes);
	if (!cfi_row__find(section, &entry, vaddr, &instructions, &row))
		return;
	require(instructions <= INSTRUCTIONS);
	for (uint8_t reg = 0; reg < UNWIND_REGS; reg++)
		unwind_regs__set(&regs, reg, START + reg);
	before = regs;
	if (!unwind_step__by_row(machine, section, &row, memory, &regs))
		require(!memcmp(&before, &regs, sizeof(regs)));
	else
		require(regs.pc && regs.pc == (regs.pc & machine->pc_mask));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_memory memory = { data + 1, START, STACK_BYTES, false };
	struct cfi_section section = { .vaddr = 0x400000, .text_vaddr = 0x1000 };
	const struct unwind_machine *machine;

	if (size < 2 + STACK_BYTES)
		return 0;
	section.count = size - 1 - STACK_BYTES;
	section.bytes = malloc(section.count);
	require(section.bytes != NULL);
	memcpy(section.bytes, data + 1 + STACK_BYTES, section.count);
	section.is_eh = data[0] & 1;
	section.swapped = memory.swapped = data[0] & 2;
	section.is_64 = !(data[0] & 4);
	machine = unwind_machine__of(data[0] & 8 ? "aarch64" : "x86_64");
	require(!cfi_section__index(&section));
	for (size_t i = 0; i < section.index_count; i++) {
		const struct cfi_index *index = &section.index[i];

		require(!i || section.index[i - 1].start <= index->start);
		step(&section, index->start, machine, &memory);
		step(&section, index->start + index->bytes / 2, machine, &memory);
	}
	cfi_section__free(&section);
	return 0;
}
