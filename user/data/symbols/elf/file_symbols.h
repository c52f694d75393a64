/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/file_symbols.h: reads the functions of a file, or of its separate debug file, and its
 * segments.
 */
#ifndef PEAT_SYMBOLS_ELF_FILE_SYMBOLS_H
#define PEAT_SYMBOLS_ELF_FILE_SYMBOLS_H

#include "symbols/elf/debug_finder.h"
#include "symbols/elf/elf_symbols.h"

struct file_symbols {
	struct elf_symbols symbols;
	struct elf_load *loads; /* from malloc() */
	size_t loads_count;
	bool is_stripped; /* only symbols for dynamic linking */
	/* Files that are mapped, whose names are used in place. */
	struct elf_file *kept[2];
};

/*
 * Reads them; names may be valid only as long as `elf`, if it is mapped.  `finder` NULL: the file
 * has no debug file.  `no_demangle`: as for elf_symbols__finish().  0, -ENOMEM.
 */
int file_symbols__read(struct file_symbols *read, const struct elf_file *elf,
		       const struct debug_finder *finder, bool no_demangle);

void file_symbols__free(struct file_symbols *read); /* its memory, not the struct */

#endif /* PEAT_SYMBOLS_ELF_FILE_SYMBOLS_H */
