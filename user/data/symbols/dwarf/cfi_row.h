/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/cfi_row.h: the rules that give the registers of the caller, at one address: a row
 * of the table that call frame instructions describe.  Pure: the instructions may be anything.
 */
#ifndef PEAT_SYMBOLS_DWARF_CFI_ROW_H
#define PEAT_SYMBOLS_DWARF_CFI_ROW_H

#include "symbols/elf/budget.h"
#include "symbols/dwarf/cfi_section.h"

/* Registers have the numbers of DWARF.  Rules of higher ones, floating-point, are ignored. */
#define CFI_REGS 35

enum cfi_rule_kind {
	CFI_SAME, /* the caller has the same value */
	CFI_UNDEFINED,
	CFI_OFFSET,	/* in memory, at the CFA plus `number` */
	CFI_VALUE,	/* the CFA plus `number` */
	CFI_REGISTER,	/* register `reg` plus `number` */
	CFI_EXPRESSION, /* in memory, at the address that the expression gives */
	CFI_VALUE_EXPRESSION
};

struct cfi_rule {
	uint8_t kind;
	uint8_t reg;		   /* CFI_REGISTER */
	uint16_t expression_bytes; /* at `number` of the section's bytes */
	int32_t number;
};

/* Copies of a row may end after its last rule: cfi_row__bytes(). */
struct cfi_row {
	bool is_signal;
	uint8_t return_register;
	struct cfi_rule cfa; /* CFI_REGISTER or CFI_VALUE_EXPRESSION */
	uint64_t changed;    /* a bit for each register with a rule other than CFI_SAME */
	struct cfi_rule rules[CFI_REGS]; /* theirs */
};

/*
 * Finds the row of an address of the entry.  `instructions`: so many may run; those that ran are
 * subtracted.  False: the entry is invalid, or has more instructions than that or than
 * BUDGET_ROW_INSTRUCTIONS.
 */
bool cfi_row__find(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t vaddr,
		   uint32_t *instructions, struct cfi_row *row);

static inline size_t cfi_row__bytes(const struct cfi_row *row)
{
	return offsetof(struct cfi_row, rules) +
	       (size_t)__builtin_popcountll(row->changed) * sizeof(*row->rules);
}

#endif /* PEAT_SYMBOLS_DWARF_CFI_ROW_H */
