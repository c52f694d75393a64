/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/table_lines.h: source lines and inlined functions beside a table of symbols. */
#ifndef PEAT_SYMBOLS_TABLE_LINES_H
#define PEAT_SYMBOLS_TABLE_LINES_H

#include "symbols/symbols.h"

/*
 * Adds file and line to the last frame of symbols->frames, which is at `place` in the file of
 * `table`, and the functions inlined there as frames before it.  `is_return`: the line is that of
 * the call before the address.  0 or -ENOMEM.
 */
int table_lines__add(struct peat_symbols *symbols, struct symbol_table *table,
		     const struct user_place *place, bool is_return);

#endif /* PEAT_SYMBOLS_TABLE_LINES_H */
