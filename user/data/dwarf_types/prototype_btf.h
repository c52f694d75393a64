/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * dwarf_types/prototype_btf.h: converts entries of functions to BTF, with the types behind their
 * pointers.
 *
 * Each entry becomes one type, and is numbered when another entry refers to it first: so types can
 * refer to each other in circles, and those near the functions are first.  After TYPES_MAX types,
 * the others are left out: structs have no members, and pointers lead to a type without bytes.
 */
#ifndef PEAT_DWARF_TYPES_PROTOTYPE_BTF_H
#define PEAT_DWARF_TYPES_PROTOTYPE_BTF_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct btf;
struct prototype_btf;

/* Visits at most `entries_most` members, parameters and values of enums.  NULL and errno. */
struct prototype_btf *prototype_btf__new(bool has_members, uint32_t entries_most);
void prototype_btf__free(struct prototype_btf *prototypes); /* NULL is allowed */

/*
 * Adds a function by its entry.  Returns the id of the FUNC that it becomes, or 0: its arguments
 * are not those that the entry describes; or -ENOMEM.
 */
int prototype_btf__add(struct prototype_btf *prototypes, Dwarf_Die *die, const char *name);

/* Converts all that was added.  NULL and errno: ENOMEM, EBADMSG. */
struct btf *prototype_btf__finish(struct prototype_btf *prototypes);

#endif /* PEAT_DWARF_TYPES_PROTOTYPE_BTF_H */
