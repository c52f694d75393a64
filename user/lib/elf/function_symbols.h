/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf/function_symbols.h: the symbols of functions that an ELF file has the code of. */
#ifndef PEAT_ELF_FUNCTION_SYMBOLS_H
#define PEAT_ELF_FUNCTION_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/* Longer names are skipped.  Mangled names are no longer, or libiberty refuses them. */
#define FUNCTION_NAME_BYTES 4096

struct function_symbol {
	const char *name;     /* "malloc@@GLIBC_2.2.5" */
	size_t name_bytes;    /* without its version */
	size_t version_bytes; /* after the name; then there is a NUL */
	uint64_t offset;      /* in the file */
	bool is_weak;
	bool is_indirect;   /* its code chooses the function that is called: STT_GNU_IFUNC */
	bool is_executable; /* its segment is */
};

/*
 * Calls `visit` for each symbol in the tables of a type: SHT_SYMTAB, SHT_DYNSYM.  Symbols that are
 * undefined, or that have no bytes in the file, are skipped.  0; the first result of `visit` that
 * is not 0; -ENOMEM; -E2BIG: the tables are larger than any linker makes them.
 */
int function_symbols__visit(const struct elf_file *file, uint32_t type,
			    int (*visit)(void *arg, const struct function_symbol *symbol),
			    void *arg);

#endif /* PEAT_ELF_FUNCTION_SYMBOLS_H */
