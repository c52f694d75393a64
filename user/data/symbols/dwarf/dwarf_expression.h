/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/dwarf_expression.h: evaluates the expressions of call frame information.  Pure: the
 * bytes may be anything; the stack of values and the number of steps are bounded.
 */
#ifndef PEAT_SYMBOLS_DWARF_DWARF_EXPRESSION_H
#define PEAT_SYMBOLS_DWARF_DWARF_EXPRESSION_H

#include "symbols/dwarf/dwarf_cursor.h"
#include "symbols/dwarf/unwind_regs.h"

/*
 * Evaluates an expression, with `first` on the stack if it is not NULL.  False: it is invalid, or
 * needs a register or memory that is unknown.
 */
bool dwarf_expression__evaluate(const uint8_t *bytes, size_t count, const struct unwind_regs *regs,
				const struct unwind_memory *memory, const uint64_t *first,
				uint64_t *result);

#endif /* PEAT_SYMBOLS_DWARF_DWARF_EXPRESSION_H */
