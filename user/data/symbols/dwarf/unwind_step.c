// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/unwind_step.c: the registers of a frame's caller. */
#include "symbols/dwarf/dwarf_expression.h"
#include "symbols/dwarf/unwind_step.h"

/* A frame pointer farther from the stack pointer is another value: also libunwind's limit. */
#define FRAME_BYTES_MAX 0x4000

#define WORD sizeof(uint64_t)

struct step {
	const struct cfi_section *section;
	const struct unwind_memory *memory;
	const struct unwind_regs *regs;
	uint64_t cfa;
};

static bool evaluate(const struct step *step, const struct cfi_rule *rule, const uint64_t *first,
		     uint64_t *value)
{
	return dwarf_expression__evaluate(step->section->bytes + rule->number,
					  rule->expression_bytes, step->regs, step->memory, first,
					  value);
}

static bool find_cfa(struct step *step, const struct cfi_rule *rule)
{
	if (rule->kind == CFI_VALUE_EXPRESSION)
		return evaluate(step, rule, NULL, &step->cfa);
	if (!unwind_regs__get(step->regs, rule->reg, &step->cfa))
		return false;
	step->cfa += (uint64_t)(int64_t)rule->number;
	return true;
}

static bool find_value(const struct step *step, const struct cfi_rule *rule, uint64_t *value)
{
	const uint64_t at = step->cfa + (uint64_t)(int64_t)rule->number;
	uint64_t address;

	switch (rule->kind) {
	case CFI_OFFSET:
		return unwind_memory__word(step->memory, at, value);
	case CFI_VALUE:
		*value = at;
		return true;
	case CFI_REGISTER:
		return unwind_regs__get(step->regs, rule->reg, value);
	case CFI_EXPRESSION:
		return evaluate(step, rule, &step->cfa, &address) &&
		       unwind_memory__read(step->memory, address, WORD, value);
	case CFI_VALUE_EXPRESSION:
		return evaluate(step, rule, &step->cfa, value);
	default:
		return false;
	}
}

/* The values that differ in the caller. */
struct changes {
	uint64_t set, forgotten; /* a bit per register */
	uint64_t value[CFI_REGS];
};

static void change(struct changes *changes, uint8_t reg, uint64_t value)
{
	changes->value[reg] = value;
	changes->set |= UINT64_C(1) << reg;
}

static void apply_rules(const struct step *step, const struct cfi_row *row, struct changes *changes)
{
	const struct cfi_rule *rule = row->rules;

	for (uint64_t left = row->changed; left; left &= left - 1, rule++) {
		const uint8_t reg = (uint8_t)__builtin_ctzll(left);
		uint64_t value;

		if (find_value(step, rule, &value))
			change(changes, reg, value);
		else
			changes->forgotten |= UINT64_C(1) << reg;
	}
}

static bool get_changed(const struct changes *changes, const struct unwind_regs *regs, uint8_t reg,
			uint64_t *value)
{
	if (changes->set >> reg & 1) {
		*value = changes->value[reg];
		return true;
	}
	return !(changes->forgotten >> reg & 1) && unwind_regs__get(regs, reg, value);
}

/* A frame that is its own caller would never end. */
static bool commit(const struct unwind_machine *machine, const struct changes *changes, uint64_t pc,
		   struct unwind_regs *regs)
{
	uint64_t sp = 0;

	pc &= machine->pc_mask;
	if (!pc || (pc == regs->pc && get_changed(changes, regs, machine->sp, &sp) &&
		    sp == regs->value[machine->sp]))
		return false;
	regs->pc = pc;
	regs->known = (regs->known | changes->set) & ~changes->forgotten;
	for (uint64_t left = changes->set; left; left &= left - 1) {
		const unsigned reg = (unsigned)__builtin_ctzll(left);

		regs->value[reg] = changes->value[reg];
	}
	return true;
}

bool unwind_step__by_row(const struct unwind_machine *machine, const struct cfi_section *section,
			 const struct cfi_row *row, const struct unwind_memory *memory,
			 struct unwind_regs *regs)
{
	struct step step = { section, memory, regs, 0 };
	struct changes changes;
	uint64_t pc;

	changes.set = changes.forgotten = 0;
	if (!find_cfa(&step, &row->cfa))
		return false;
	apply_rules(&step, row, &changes);
	if (machine->sp_is_cfa && !(row->changed >> machine->sp & 1))
		change(&changes, machine->sp, step.cfa);
	return get_changed(&changes, regs, row->return_register, &pc) &&
	       commit(machine, &changes, pc, regs);
}

bool unwind_step__by_frame_pointer(const struct unwind_machine *machine,
				   const struct unwind_memory *memory, struct unwind_regs *regs)
{
	uint64_t fp, sp, next_fp, pc;
	struct changes changes;

	if (!unwind_regs__get(regs, machine->fp, &fp) ||
	    !unwind_regs__get(regs, machine->sp, &sp) || fp < sp || fp - sp > FRAME_BYTES_MAX ||
	    !unwind_memory__read(memory, fp, WORD, &next_fp) ||
	    !unwind_memory__read(memory, fp + WORD, WORD, &pc))
		return false;
	changes.set = changes.forgotten = 0;
	change(&changes, machine->fp, next_fp);
	change(&changes, machine->sp, fp + 2 * WORD);
	return commit(machine, &changes, pc, regs);
}
