// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/cfi_row.c: runs call frame instructions. */
#include "symbols/dwarf/cfi_row.h"

#define SAVED_ROWS 16 /* CFA_REMEMBER_STATE nests; compilers use one level */

/* The instructions DW_CFA_*: the header of libdw is not always there. */
enum {
	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_MIPS_ADVANCE_LOC8 = 0x1d,
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* With an operand in the low bits */
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0
};

struct rules {
	struct cfi_rule cfa, regs[CFI_REGS];
};

struct row_search {
	const struct cfi_section *section;
	const struct cfi_common *common;
	struct cursor cur;
	uint64_t location; /* of the row that is made */
	uint64_t wanted;
	bool is_done; /* the next row is beyond the wanted address */
	struct rules now;
	struct rules initial; /* after the program of the common entry */
	struct rules saved[SAVED_ROWS];
	unsigned saved_count;
	uint32_t left; /* instructions */
};

static void set(struct row_search *search, uint64_t reg, struct cfi_rule rule)
{
	if (reg < CFI_REGS)
		search->now.regs[reg] = rule;
}

/* An offset too large for a rule is one of no real frame. */
static struct cfi_rule rule_of(struct row_search *search, enum cfi_rule_kind kind, int64_t number)
{
	if (number < INT32_MIN || number > INT32_MAX)
		search->cur.bad = true;
	return (struct cfi_rule){ .kind = (uint8_t)kind, .number = (int32_t)number };
}

/* Products wrap: they are checked afterwards. */
static int64_t factored(const struct row_search *search, uint64_t count)
{
	return (int64_t)(count * (uint64_t)search->common->data_factor);
}

static struct cfi_rule expression(struct row_search *search, enum cfi_rule_kind kind)
{
	uint64_t bytes = dwarf_cursor__uleb(&search->cur);
	const uint8_t *at = cursor__bytes(&search->cur, bytes);
	struct cfi_rule rule = { 0 };

	if (!at || bytes > UINT16_MAX) {
		search->cur.bad = true;
		return rule;
	}
	rule = rule_of(search, kind, at - search->section->bytes);
	rule.expression_bytes = (uint16_t)bytes;
	return rule;
}

static void set_cfa(struct row_search *search, uint64_t reg, int64_t offset)
{
	search->now.cfa = rule_of(search, CFI_REGISTER, offset);
	search->now.cfa.reg = (uint8_t)reg;
	search->cur.bad |= reg >= CFI_REGS;
}

static void set_cfa_offset(struct row_search *search, int64_t offset)
{
	search->cur.bad |= search->now.cfa.kind != CFI_REGISTER;
	set_cfa(search, search->now.cfa.reg, offset);
}

static void set_register(struct row_search *search, uint64_t reg, uint64_t from)
{
	struct cfi_rule rule = rule_of(search, CFI_REGISTER, 0);

	rule.reg = (uint8_t)from;
	set(search, reg, from < CFI_REGS ? rule : rule_of(search, CFI_UNDEFINED, 0));
}

static void restore(struct row_search *search, uint64_t reg)
{
	if (reg < CFI_REGS)
		search->now.regs[reg] = search->initial.regs[reg];
}

static void remember(struct row_search *search)
{
	if (search->saved_count == SAVED_ROWS)
		search->cur.bad = true;
	else
		search->saved[search->saved_count++] = search->now;
}

static void recall(struct row_search *search)
{
	if (!search->saved_count)
		search->cur.bad = true;
	else
		search->now = search->saved[--search->saved_count];
}

/* Instructions that define the CFA.  False: it is another one. */
static bool define_cfa(struct row_search *search, uint8_t code)
{
	struct cursor *cur = &search->cur;
	uint64_t reg;

	switch (code) {
	case CFA_DEF_CFA:
		reg = dwarf_cursor__uleb(cur);
		set_cfa(search, reg, (int64_t)dwarf_cursor__uleb(cur));
		return true;
	case CFA_DEF_CFA_SF:
		reg = dwarf_cursor__uleb(cur);
		set_cfa(search, reg, factored(search, (uint64_t)dwarf_cursor__sleb(cur)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		search->cur.bad |= search->now.cfa.kind != CFI_REGISTER;
		set_cfa(search, dwarf_cursor__uleb(cur), search->now.cfa.number);
		return true;
	case CFA_DEF_CFA_OFFSET:
		set_cfa_offset(search, (int64_t)dwarf_cursor__uleb(cur));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		set_cfa_offset(search, factored(search, (uint64_t)dwarf_cursor__sleb(cur)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		search->now.cfa = expression(search, CFI_VALUE_EXPRESSION);
		return true;
	default:
		return false;
	}
}

/* Instructions that give a register by an offset from the CFA.  False: it is another one. */
static bool define_offset(struct row_search *search, uint8_t code)
{
	struct cursor *cur = &search->cur;
	enum cfi_rule_kind kind = CFI_OFFSET;
	uint64_t reg, count;

	switch (code) {
	case CFA_VAL_OFFSET:
		kind = CFI_VALUE;
		/* fallthrough */
	case CFA_OFFSET_EXTENDED:
		reg = dwarf_cursor__uleb(cur);
		count = dwarf_cursor__uleb(cur);
		break;
	case CFA_VAL_OFFSET_SF:
		kind = CFI_VALUE;
		/* fallthrough */
	case CFA_OFFSET_EXTENDED_SF:
		reg = dwarf_cursor__uleb(cur);
		count = (uint64_t)dwarf_cursor__sleb(cur);
		break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		reg = dwarf_cursor__uleb(cur);
		count = -dwarf_cursor__uleb(cur);
		break;
	default:
		return false;
	}
	set(search, reg, rule_of(search, kind, factored(search, count)));
	return true;
}

/* Instructions that give a register otherwise.  False: it is another one. */
static bool define_register(struct row_search *search, uint8_t code)
{
	struct cursor *cur = &search->cur;
	uint64_t reg;

	switch (code) {
	case CFA_RESTORE_EXTENDED:
		restore(search, dwarf_cursor__uleb(cur));
		return true;
	case CFA_UNDEFINED:
		set(search, dwarf_cursor__uleb(cur), rule_of(search, CFI_UNDEFINED, 0));
		return true;
	case CFA_SAME_VALUE:
		set(search, dwarf_cursor__uleb(cur), rule_of(search, CFI_SAME, 0));
		return true;
	case CFA_REGISTER:
		reg = dwarf_cursor__uleb(cur);
		set_register(search, reg, dwarf_cursor__uleb(cur));
		return true;
	case CFA_EXPRESSION:
		reg = dwarf_cursor__uleb(cur);
		set(search, reg, expression(search, CFI_EXPRESSION));
		return true;
	case CFA_VAL_EXPRESSION:
		reg = dwarf_cursor__uleb(cur);
		set(search, reg, expression(search, CFI_VALUE_EXPRESSION));
		return true;
	default:
		return false;
	}
}

static void advance(struct row_search *search, uint64_t count)
{
	const uint64_t location = search->location + count * search->common->code_factor;

	search->is_done = location > search->wanted;
	if (!search->is_done)
		search->location = location;
}

static bool advance_by(struct row_search *search, uint8_t code)
{
	switch (code) {
	case CFA_SET_LOC: /* no compiler writes it; its encoding is that of the entry */
		search->cur.bad = true;
		return true;
	case CFA_ADVANCE_LOC1:
		advance(search, dwarf_cursor__u8(&search->cur));
		return true;
	case CFA_ADVANCE_LOC2:
		advance(search, cursor__u16(&search->cur));
		return true;
	case CFA_ADVANCE_LOC4:
		advance(search, cursor__u32(&search->cur));
		return true;
	case CFA_MIPS_ADVANCE_LOC8:
		advance(search, cursor__u64(&search->cur));
		return true;
	default:
		return false;
	}
}

/* Return addresses of arm64 are stripped of their signature in any case. */
static void run_other(struct row_search *search, uint8_t code)
{
	switch (code) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
	case CFA_NEGATE_RA_STATE_WITH_PC:
		break;
	case CFA_REMEMBER_STATE:
		remember(search);
		break;
	case CFA_RESTORE_STATE:
		recall(search);
		break;
	case CFA_GNU_ARGS_SIZE:
		dwarf_cursor__uleb(&search->cur);
		break;
	default:
		search->cur.bad = true;
	}
}

static void run_instruction(struct row_search *search)
{
	const uint8_t code = dwarf_cursor__u8(&search->cur);
	const uint8_t operand = code & 0x3f;

	switch (code & CFA_RESTORE) {
	case CFA_ADVANCE_LOC:
		advance(search, operand);
		return;
	case CFA_OFFSET:
		set(search, operand,
		    rule_of(search, CFI_OFFSET,
			    factored(search, dwarf_cursor__uleb(&search->cur))));
		return;
	case CFA_RESTORE:
		restore(search, operand);
		return;
	}
	if (!advance_by(search, code) && !define_cfa(search, code) &&
	    !define_offset(search, code) && !define_register(search, code))
		run_other(search, code);
}

/* Runs up to the row of the wanted address.  False: the program is invalid. */
static bool run_program(struct row_search *search, const struct cursor *program, uint64_t location)
{
	search->cur = *program;
	search->location = location;
	search->saved_count = 0;
	search->is_done = false;
	while (cursor__left(&search->cur) && !search->cur.bad && !search->is_done) {
		if (!search->left)
			return false;
		search->left--;
		run_instruction(search);
	}
	return !search->cur.bad;
}

static void store_rules(struct cfi_row *row, const struct cfi_rule *rules)
{
	unsigned count = 0;

	row->changed = 0;
	for (unsigned reg = 0; reg < CFI_REGS; reg++)
		if (rules[reg].kind != CFI_SAME) {
			row->changed |= UINT64_C(1) << reg;
			row->rules[count++] = rules[reg];
		}
}

/* Runs the programs of the common entry and of the entry. */
static bool run_both(struct row_search *search, const struct cfi_entry *entry)
{
	if (!run_program(search, &entry->common.program, search->wanted))
		return false;
	search->initial = search->now;
	return run_program(search, &entry->program, entry->start) &&
	       search->now.cfa.kind != CFI_SAME && entry->common.return_register < CFI_REGS;
}

bool cfi_row__find(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t vaddr,
		   uint32_t *instructions, struct cfi_row *row)
{
	const uint32_t most =
		*instructions < BUDGET_ROW_INSTRUCTIONS ? *instructions : BUDGET_ROW_INSTRUCTIONS;
	struct row_search search;
	bool is_found;

	memset(&search.now, 0, sizeof(search.now));
	search.section = section;
	search.common = &entry->common;
	search.wanted = vaddr;
	search.left = most;
	is_found = run_both(&search, entry);
	*instructions -= most - search.left;
	if (!is_found)
		return false;
	row->is_signal = entry->common.is_signal;
	row->return_register = (uint8_t)entry->common.return_register;
	row->cfa = search.now.cfa;
	store_rules(row, search.now.regs);
	return true;
}
