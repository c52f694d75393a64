/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_DWARF_TYPES_DWARF_TYPES_H
#define PEAT_DWARF_TYPES_DWARF_TYPES_H

#include "object/infer/dwarf.h"

/* Nothing refers to it: programs that link the archive need the option -u peat_dwarf_types. */
extern const struct dwarf_functions peat_dwarf_types;

#endif /* PEAT_DWARF_TYPES_DWARF_TYPES_H */
