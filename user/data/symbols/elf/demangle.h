/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/demangle.h: C++ and Rust names as they are in the source.  Pure. */
#ifndef PEAT_SYMBOLS_ELF_DEMANGLE_H
#define PEAT_SYMBOLS_ELF_DEMANGLE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "symbols/elf/budget.h"

/*
 * Appends the name without parameters and return type: "ns::box<int>::spin" for
 * "_ZNK2ns3boxIiE4spinEi".  A suffix as in "f@plt" remains.  A source name is cut after
 * BUDGET_NAME_BYTES.  False: it is no mangled name; nothing was appended.
 */
bool demangle__append(struct strbuf *out, const char *name);

#endif /* PEAT_SYMBOLS_ELF_DEMANGLE_H */
