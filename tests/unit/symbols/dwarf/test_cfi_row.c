// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cfi_row.c: rows of this program's and libc's functions, beside those that libdw finds. */
#include <stdlib.h>
#include <string.h>

#include "support/machine/amount.h"
#include "unit/symbols/own_stack.h"

#include "unit/suite.h"

/* ---- beside libdw ---------------------------------------------------------------------------- */

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>

static struct cfi_rule rule_of(const struct cfi_row *row, unsigned reg)
{
	const uint64_t bit = UINT64_C(1) << reg;

	if (!(row->changed & bit))
		return (struct cfi_rule){ .kind = CFI_SAME };
	return row->rules[__builtin_popcountll(row->changed & (bit - 1))];
}

/* libdw gives offsets from the CFA as the operation call_frame_cfa and one that adds. */
static bool is_from_cfa(const Dwarf_Op *ops, size_t count, int64_t offset)
{
	if (!count || ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	return count == 1 || ops[1].atom == DW_OP_stack_value ? offset == 0
							      : (int64_t)ops[1].number == offset;
}

static void check_cfa(Dwarf_Frame *frame, const struct cfi_row *row)
{
	Dwarf_Op *ops;
	size_t count;

	if (row->cfa.kind == CFI_VALUE_EXPRESSION) /* libdw 0.188 never frees expressions */
		return;
	ck_assert_int_eq(dwarf_frame_cfa(frame, &ops, &count), 0);
	ck_assert_uint_eq(count, 1);
	if (ops[0].atom == DW_OP_bregx) {
		ck_assert_uint_eq(ops[0].number, row->cfa.reg);
		ck_assert_int_eq((int64_t)ops[0].number2, row->cfa.number);
	} else {
		ck_assert_uint_eq(ops[0].atom, DW_OP_breg0 + row->cfa.reg);
		ck_assert_int_eq((int64_t)ops[0].number, row->cfa.number);
	}
}

static void check_register(Dwarf_Frame *frame, const struct cfi_row *row, unsigned reg)
{
	const struct cfi_rule rule = rule_of(row, reg);
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (rule.kind == CFI_EXPRESSION || rule.kind == CFI_VALUE_EXPRESSION)
		return;
	ck_assert_int_eq(dwarf_frame_register(frame, (int)reg, memory, &ops, &count), 0);
	switch (rule.kind) {
	case CFI_SAME: /* libdw adds rules of the machine's ABI */
		ck_assert(!count || ops[count - 1].atom == DW_OP_stack_value);
		break;
	case CFI_UNDEFINED:
		ck_assert_uint_eq(count, 0);
		ck_assert_ptr_eq(ops, memory);
		break;
	case CFI_OFFSET:
		ck_assert(is_from_cfa(ops, count, rule.number));
		ck_assert(ops[count - 1].atom != DW_OP_stack_value);
		break;
	case CFI_VALUE:
		ck_assert(is_from_cfa(ops, count, rule.number));
		ck_assert(ops[count - 1].atom == DW_OP_stack_value);
		break;
	case CFI_REGISTER:
		ck_assert_uint_eq(count, 1);
		break;
	}
}

static void check_row(Dwarf_CFI *cfi, struct unwind_table *table, uint64_t vaddr)
{
	const struct cfi_section *section;
	uint32_t instructions = BUDGET_STACK_INSTRUCTIONS;
	const struct cfi_row *row = unwind_table__find(table, vaddr, &instructions, &section);
	Dwarf_Frame *frame;
	bool is_signal;
	int reg;

	ck_assert_ptr_nonnull(row);
	ck_assert_int_eq(dwarf_cfi_addrframe(cfi, vaddr, &frame), 0);
	reg = dwarf_frame_info(frame, NULL, NULL, &is_signal);
	ck_assert_int_eq(reg, row->return_register);
	ck_assert_int_eq(is_signal, row->is_signal);
	check_cfa(frame, row);
	for (unsigned i = 0; i < 17; i++)
		check_register(frame, row, i);
	free(frame);
}

/* Each function's first, middle and last address. */
static uint64_t check_section(Dwarf_CFI *cfi, struct unwind_table *table,
			      const struct cfi_section *section)
{
	uint64_t functions = 0;

	for (size_t i = 0; i < section->index_count; i += amount__step(1, 7), functions++) {
		const struct cfi_index *index = &section->index[i];

		check_row(cfi, table, index->start);
		check_row(cfi, table, index->start + index->bytes / 2);
		check_row(cfi, table, index->start + index->bytes - 1);
	}
	return functions;
}

START_TEST(test_same_as_libdw)
{
	struct own_stack *own = own_stack__new();
	uint64_t functions = 0;

	if (!own)
		skip("stacks of this machine are not unwound");
	for (unsigned i = 0; i < own->module_count; i++) {
		struct own_module *module = &own->modules[i];
		Dwarf_CFI *cfi = dwarf_getcfi_elf(module->file->elf);
		const struct cfi_section *section = NULL;
		struct unwind_code code;

		if (!cfi) /* a vdso may have only trampolines */
			continue;
		/* The first function finds the section: its index has the others. */
		for (uint64_t at = module->start; at < module->end; at += 16) {
			uint32_t instructions = BUDGET_STACK_INSTRUCTIONS;

			ck_assert(own_stack__find(own, at, &code));
			if (unwind_table__find(code.table, code.vaddr, &instructions, &section))
				break;
			section = NULL;
		}
		if (section)
			functions += check_section(cfi, module->table, section);
		dwarf_cfi_end(cfi);
	}
	ck_assert_uint_gt(functions, 1000);
	own_stack__free(own);
}
END_TEST
#else
START_TEST(test_same_as_libdw)
{
	skip("built without libdw");
}
END_TEST
#endif

/* ---- instructions that compilers rarely write ------------------------------------------------ */

static uint8_t bytes[2 * BUDGET_ROW_INSTRUCTIONS];
static uint32_t left = UINT32_MAX; /* instructions */
static struct cfi_section section = { bytes, sizeof(bytes), .is_eh = true, .is_64 = true };

/* The programs here are little-endian. */
#define SWAPPED (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static struct cursor program(const void *from, size_t count, size_t at)
{
	memcpy(bytes + at, from, count);
	return dwarf_cursor(bytes + at, bytes + at + count, SWAPPED);
}

/* The row at `vaddr` of a function at 0x1000 with these instructions, after "CFA = r7 + 8". */
static bool run(const char *instructions, size_t count, uint64_t vaddr, struct cfi_row *row)
{
	struct cfi_entry entry = { .start = 0x1000, .bytes = 0x100 };

	entry.common = (struct cfi_common){
		.code_factor = 4, .data_factor = -8, .return_register = 16, .address_bytes = 8
	};
	entry.common.program = program("\x0c\x07\x08\x90\x01", 5, 0);
	entry.program = program(instructions, count, 16);
	return cfi_row__find(&section, &entry, vaddr, &left, row);
}

#define RUN(instructions, vaddr, row) run(instructions, sizeof(instructions) - 1, vaddr, row)

START_TEST(test_rows_by_location)
{
	struct cfi_row row;

	/* Three rows: after 4 * 1, after 4 * 2 more, after 4 * 0x100 more. */
	static const char code[] = "\x41\x0e\x10\x02\x02\x0e\x20\x03\x00\x01\x0e\x30";

	ck_assert(RUN(code, 0x1000, &row) && row.cfa.number == 8);
	ck_assert(RUN(code, 0x1003, &row) && row.cfa.number == 8);
	ck_assert(RUN(code, 0x1004, &row) && row.cfa.number == 0x10);
	ck_assert(RUN(code, 0x100b, &row) && row.cfa.number == 0x10);
	ck_assert(RUN(code, 0x100c, &row) && row.cfa.number == 0x20);
	ck_assert(RUN(code, 0x140b, &row) && row.cfa.number == 0x20);
	ck_assert(RUN(code, 0x140c, &row) && row.cfa.number == 0x30);
	ck_assert_uint_eq(row.return_register, 16);
	ck_assert_int_eq(row.rules[0].kind, CFI_OFFSET);
	ck_assert_int_eq(row.rules[0].number, -8);
}
END_TEST

START_TEST(test_remembers_state)
{
	struct cfi_row row;

	/* Offset 16, remember, offset 32 with r3 saved, restore. */
	static const char code[] = "\x0e\x10\x0a\x41\x0e\x20\x83\x02\x41\x0b";

	ck_assert(RUN(code, 0x1004, &row));
	ck_assert(row.cfa.number == 32 && row.changed == (1 << 16 | 1 << 3));
	ck_assert_int_eq(row.rules[0].number, -16);
	ck_assert(RUN(code, 0x1008, &row));
	ck_assert(row.cfa.number == 16 && row.changed == 1 << 16);
	ck_assert(!RUN("\x0b", 0x1000, &row));
	ck_assert(!RUN("\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a",
		       0x1000, &row));
}
END_TEST

START_TEST(test_rules_of_each_kind)
{
	struct cfi_row row;

	/* r1: register 2; r3: undefined; r4: the CFA + 24; r5: at the CFA + 16; r6: an expression.
	 */
	ck_assert(
		RUN("\x09\x01\x02\x07\x03\x15\x04\x7d\x11\x05\x7e\x10\x06\x01\x96", 0x1000, &row));
	ck_assert_uint_eq(row.changed, 1 << 16 | 0x7a);
	ck_assert(row.rules[0].kind == CFI_REGISTER && row.rules[0].reg == 2);
	ck_assert(row.rules[1].kind == CFI_UNDEFINED);
	ck_assert(row.rules[2].kind == CFI_VALUE && row.rules[2].number == 24);
	ck_assert(row.rules[3].kind == CFI_OFFSET && row.rules[3].number == 16);
	ck_assert(row.rules[4].kind == CFI_EXPRESSION && row.rules[4].expression_bytes == 1);
	ck_assert_uint_eq(bytes[row.rules[4].number], 0x96);
	/* The initial rule comes back, and "same value" removes a rule. */
	ck_assert(RUN("\x07\x10\x06\x10\x07\x03\x08\x03", 0x1000, &row));
	ck_assert(row.changed == 1 << 16 && row.rules[0].kind == CFI_OFFSET);
	/* Vector registers are ignored. */
	ck_assert(RUN("\x05\x50\x01", 0x1000, &row) && row.changed == 1 << 16);
}
END_TEST

START_TEST(test_invalid_code_has_no_row)
{
	struct cfi_row row;

	ck_assert(!RUN("\x0e", 0x1000, &row));			   /* cut */
	ck_assert(!RUN("\x0c\x50\x08", 0x1000, &row));		   /* CFA from register 80 */
	ck_assert(!RUN("\x0e\xff\xff\xff\xff\x7f", 0x1000, &row)); /* beyond 32 bits */
	ck_assert(!RUN("\x0f\x7f\x96", 0x1000, &row));		   /* a cut expression */
	ck_assert(!RUN("\x0f\x01\x96\x0e\x08", 0x1000, &row)); /* an offset from an expression */
	ck_assert(!RUN("\x3e", 0x1000, &row));		       /* unknown */
}
END_TEST

/* No operation, for ever: a row may take 65,536 instructions, and not more than the caller allows.
 */
START_TEST(test_many_instructions)
{
	static char nops[BUDGET_ROW_INSTRUCTIONS];
	struct cfi_row row;

	left = UINT32_MAX;
	/* Two instructions are those of the common entry. */
	ck_assert(run(nops, sizeof(nops) - 2, 0x1000, &row));
	ck_assert_uint_eq(left, UINT32_MAX - BUDGET_ROW_INSTRUCTIONS);
	ck_assert(!run(nops, sizeof(nops) - 1, 0x1000, &row));
	left = 1000;
	ck_assert(run(nops, 998, 0x1000, &row));
	ck_assert_uint_eq(left, 0);
	ck_assert(!run(nops, 1, 0x1000, &row));
	left = 1000;
	ck_assert(!run(nops, 999, 0x1000, &row));
	ck_assert_uint_eq(left, 0);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_test(tests, test_same_as_libdw);
	tcase_add_test(tests, test_many_instructions);
	tcase_add_test(tests, test_rows_by_location);
	tcase_add_test(tests, test_remembers_state);
	tcase_add_test(tests, test_rules_of_each_kind);
	tcase_add_test(tests, test_invalid_code_has_no_row);
}
