/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef DWARF_TYPES_H
#define DWARF_TYPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct btf;

/* As debug_info__btf(). */
struct btf *dwarf_types__btf(Dwarf_Die *die, uint32_t *id);

#endif /* DWARF_TYPES_H */
