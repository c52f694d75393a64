/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/untyped_functions.h: types and sizes for the functions of objects whose compiler, an old
 * clang, wrote symbols without them.  libbpf finds no program in such an object.
 */
#ifndef PEAT_OBJECT_UNTYPED_FUNCTIONS_H
#define PEAT_OBJECT_UNTYPED_FUNCTIONS_H

#include <libelf.h>

/*
 * Changes the symbols, of 64 bit and this machine's byte order, in place: those that are global,
 * have no type and are in a section with code.  A function reaches up to the next one, or the end
 * of its section.  An object with a function that has a type is left as it is.
 *
 *	0	changed, or nothing to change
 *	-ENOMEM
 */
int untyped_functions__use(Elf *elf, Elf_Scn *symbols);

#endif /* PEAT_OBJECT_UNTYPED_FUNCTIONS_H */
