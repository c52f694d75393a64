/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/unwind_table.h: the call frame information of a file, and a cache of the rows that were
 * used.  The table is a copy: the file may be closed.
 */
#ifndef PEAT_SYMBOLS_UNWIND_TABLE_H
#define PEAT_SYMBOLS_UNWIND_TABLE_H

#include "symbols/cfi_row.h"
#include "symbols/elf_file.h"
#include "symbols/trampolines.h"

struct unwind_table;

/*
 * Reads .eh_frame of a file, and .debug_frame of it or of its separate debug file.  `debug_file`
 * may be NULL.  0, -ENOMEM, -ENODATA: they have no call frame information, and no trampolines.
 */
int unwind_table__new(struct unwind_table **table, const struct elf_file *file,
		      const struct elf_file *debug_file);
void unwind_table__free(struct unwind_table *table); /* accepts NULL */

/*
 * Adds .debug_frame of a separate debug file, unless there is one.  0, -ENOMEM, -ENODATA: nothing
 * was added.
 */
int unwind_table__add_debug(struct unwind_table *table, const struct elf_file *debug_file);

/* The machine of the file: EM_*. */
uint16_t unwind_table__machine(const struct unwind_table *table);

/* Code that signal handlers return to, if call frame information does not describe it. */
const struct trampolines *unwind_table__trampolines(const struct unwind_table *table);

/* Memory, without that of cached rows, which is limited. */
size_t unwind_table__bytes(const struct unwind_table *table);

/*
 * Finds the row of an address, valid until the next call, and the section that it is of.  NULL:
 * unknown, or no memory.
 */
const struct cfi_row *unwind_table__find(struct unwind_table *table, uint64_t vaddr,
					 const struct cfi_section **section);

#endif /* PEAT_SYMBOLS_UNWIND_TABLE_H */
