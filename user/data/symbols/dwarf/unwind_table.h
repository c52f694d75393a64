/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/unwind_table.h: the call frame information of a file, and a cache of the rows that
 * were used.
 */
#ifndef PEAT_SYMBOLS_DWARF_UNWIND_TABLE_H
#define PEAT_SYMBOLS_DWARF_UNWIND_TABLE_H

#include "symbols/elf/budget.h"
#include "symbols/dwarf/call_frames.h"
#include "symbols/dwarf/cfi_row.h"

struct unwind_table;

/*
 * Makes a table of call frame information, which then belongs to the table, and is freed on
 * failure, too.  0 or -ENOMEM.
 */
int unwind_table__new(struct unwind_table **table, struct call_frames *frames);
void unwind_table__free(struct unwind_table *table); /* accepts NULL */

/* Whether it has a section .debug_frame. */
bool unwind_table__has_debug(const struct unwind_table *table);

/* Replaces .debug_frame by that of a separate debug file, whose frames then belong to the table. */
void unwind_table__add_debug(struct unwind_table *table, const struct call_frames *debug);

/* The machine of the file: EM_*. */
uint16_t unwind_table__machine(const struct unwind_table *table);

/* Code that signal handlers return to, if call frame information does not describe it. */
const struct trampolines *unwind_table__trampolines(const struct unwind_table *table);

/* Memory, without that of cached rows, which is limited. */
size_t unwind_table__bytes(const struct unwind_table *table);

/*
 * Finds the row of an address, valid until the next call, and the section that it is of.
 * `instructions`: as for cfi_row__find().  NULL: unknown, too many instructions, or no memory.
 */
const struct cfi_row *unwind_table__find(struct unwind_table *table, uint64_t vaddr,
					 uint32_t *instructions,
					 const struct cfi_section **section);

#endif /* PEAT_SYMBOLS_DWARF_UNWIND_TABLE_H */
