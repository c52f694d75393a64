/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/elf_plt.h: names of the entries of procedure linkage tables. */
#ifndef PEAT_SYMBOLS_ELF_ELF_PLT_H
#define PEAT_SYMBOLS_ELF_ELF_PLT_H

#include "symbols/elf/elf_symbols.h"

/*
 * Adds a symbol "function@plt" for each entry whose function is known.  On x86-64 the entry's own
 * jump tells its slot, and so its function; on other machines entries have the order of their
 * relocations.  0 or -ENOMEM.
 */
int elf_plt__add(struct elf_symbols *symbols, const struct elf_file *file);

#endif /* PEAT_SYMBOLS_ELF_ELF_PLT_H */
