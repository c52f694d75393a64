/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf/function_offset.h: finds a function in an ELF file, to attach a uprobe. */
#ifndef PEAT_ELF_FUNCTION_OFFSET_H
#define PEAT_ELF_FUNCTION_OFFSET_H

#include <stdint.h>

/*
 * The offset of a function in a program or library.  The choice is that of libbpf: .dynsym before
 * .symtab; of several symbols, the one that is not weak; "malloc@@GLIBC_2.2.5" is malloc, too.
 *
 *	-ENOENT		the file has no such function, or there is no such file
 *	-ENOTUNIQ		it has several functions of that name
 *	-ENOEXEC	it is not an ELF file, or an invalid one
 *	-E2BIG, -ENOMEM	its tables of symbols are too large
 *	or another error of open(2)
 */
int function_offset__find(const char *path, const char *function, uint64_t *offset);

#endif /* PEAT_ELF_FUNCTION_OFFSET_H */
