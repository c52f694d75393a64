/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/user_functions.h: finds functions of a program or library. */
#ifndef PEAT_FUNCTIONS_USER_FUNCTIONS_H
#define PEAT_FUNCTIONS_USER_FUNCTIONS_H

#include "base/strbuf.h"
#include "functions/found_functions.h"

struct elf_file;

/*
 * Finds the functions of an ELF file that match a name or glob, by their names in .symtab and
 * .dynsym: the symbol's, or its name in the source ("ns::f" for "_ZN2ns1fEv") if
 * user_functions__use() was called.  Overloads have one name in the source, and all are found.
 * "malloc@@GLIBC_2.2.5" is malloc.  `found` is zeroes.  The file may be hostile.
 *
 * Functions without code in the file, and undefined ones, are none.  Parts and variants that
 * compilers make ("f.cold", "f.part.0", "f.isra.0", "f.constprop.0") match if the pattern has a
 * dot.  Symbols whose code chooses the function (STT_GNU_IFUNC: memcpy), and those outside of
 * executable segments, are left out.
 *
 *	0		found->count is not 0
 *	-ENOENT		there is no such file; or, if alike.wanted is set, it has no such function:
 *			left_out: some match, and cannot be probed; or alike has a name
 *	-ENODATA	the file has no symbols of functions
 *	-ENOEXEC	no ELF file, or an invalid one
 *	-EOPNOTSUPP	a 32-bit file, whose functions have arguments in other places
 *	-E2BIG		more symbols than any program has
 *	another negative errno
 */
int user_functions__find(struct found_functions *found, const char *path, const char *pattern);

/* Likewise in an open file. */
int user_functions__search(struct found_functions *found, const struct elf_file *file,
			   const char *pattern);

/* False also for a file that is no ELF file, or cannot be read. */
bool user_functions__is_32_bit(const char *path);

/*
 * Appends the name in the source, without parameters.  False: it is no mangled name; nothing was
 * appended.  libpeat-data, which has C++ and Rust, gives the function.
 */
typedef bool (*user_functions_demangle)(struct strbuf *out, const char *name);
void user_functions__use(user_functions_demangle demangle);

#endif /* PEAT_FUNCTIONS_USER_FUNCTIONS_H */
