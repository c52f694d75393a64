/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_DWARF_TYPES_DWARF_TYPES_H
#define PEAT_DWARF_TYPES_DWARF_TYPES_H

#include "object/infer/dwarf.h"

/* Nothing refers to it: programs that link the archive need the option -u dwarf_types. */
extern const struct dwarf_functions dwarf_types;

#endif /* PEAT_DWARF_TYPES_DWARF_TYPES_H */
