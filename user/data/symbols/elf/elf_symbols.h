/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/elf_symbols.h: the functions of an ELF file, sorted by address.
 *
 * They are chosen as perf chooses them: functions and labels of .symtab and .dynsym; if several
 * have an address, the one with a size, not a label, not weak, global, with fewer underscores, with
 * the longer name.  A function without a size ends where the next one begins.  Entries of the PLT
 * are named "function@plt".
 */
#ifndef PEAT_SYMBOLS_ELF_ELF_SYMBOLS_H
#define PEAT_SYMBOLS_ELF_ELF_SYMBOLS_H

#include "base/arena.h"
#include "symbols/elf/budget.h"
#include "elf/elf_file.h"
#include "symbols/elf/namer_memory.h"

struct elf_symbol {
	uint64_t begin, end;
	const char *raw_name;
	const char *name; /* demangled; NULL: not yet */
	/* Index of the smallest symbol around this one, UINT32_MAX: none; before: its number. */
	uint32_t encloser;
	uint8_t info;	 /* as in the ELF file: binding and type */
	bool is_guessed; /* `end` is the next symbol: the file has no size */
};

struct elf_symbols {
	struct elf_symbol *list; /* by begin, each begin once */
	uint32_t count, room;
	char **strings; /* copies of string tables: raw_name is in them, or in `names` */
	uint32_t strings_count;
	struct arena names;
	struct namer_memory memory; /* mapped: raw_name is in it */
	size_t bytes;		    /* of memory, without `names` and `memory` */
};

/*
 * Adds the symbols of a file: of a program or library, and then perhaps those of its debug file.
 * Segments are those of `program`.  0, -ENOMEM.  A damaged table ends with its last good symbol.
 */
int elf_symbols__add(struct elf_symbols *symbols, const struct elf_file *file,
		     const struct elf_file *program);

/* Adds a symbol; its raw_name is not copied.  0 or -ENOMEM. */
int elf_symbols__append(struct elf_symbols *symbols, const struct elf_symbol *symbol);

/* Sorts them.  `no_demangle`: names are compared and returned as they are in the file. */
void elf_symbols__finish(struct elf_symbols *symbols, bool no_demangle);

/* The symbol of an address; NULL: none. */
struct elf_symbol *elf_symbols__find(const struct elf_symbols *symbols, uint64_t vaddr);

/* Its demangled name, or its name in the file; valid as long as the symbols. */
const char *elf_symbols__name(struct elf_symbols *symbols, struct elf_symbol *symbol,
			      bool no_demangle);

void elf_symbols__free(struct elf_symbols *symbols); /* all zero is allowed */

#endif /* PEAT_SYMBOLS_ELF_ELF_SYMBOLS_H */
