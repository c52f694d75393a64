/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_DWARF_TYPES_DWARF_BTF_H
#define PEAT_DWARF_TYPES_DWARF_BTF_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct btf;

/* Implements dwarf__btf(). */
struct btf *dwarf_btf__new(Dwarf_Die *die, uint32_t *id);

#endif /* PEAT_DWARF_TYPES_DWARF_BTF_H */
