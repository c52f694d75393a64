/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/demangle.h: C++ and Rust names as they are in the source.  Pure.  It gives itself to
 * user_functions__use(), so that functions of programs are found by these names.
 */
#ifndef PEAT_SYMBOLS_ELF_DEMANGLE_H
#define PEAT_SYMBOLS_ELF_DEMANGLE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "functions/user_functions.h"
#include "symbols/elf/budget.h"

/*
 * Appends the name without parameters and return type: "ns::box<int>::spin" for
 * "_ZNK2ns3boxIiE4spinEi".  A suffix as in "f@plt" remains.  A source name is cut after
 * BUDGET_NAME_BYTES.  False: it is no mangled name; nothing was appended.
 */
bool demangle__append(struct strbuf *out, const char *name);

/* The same.  Programs that link archives refer to it: DATA_LIBS of the Makefile. */
extern const user_functions_demangle peat_demangle;

#endif /* PEAT_SYMBOLS_ELF_DEMANGLE_H */
