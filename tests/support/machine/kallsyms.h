/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* kallsyms.h: the running kernel's symbols, all of them. */
#ifndef TESTS_SUPPORT_MACHINE_KALLSYMS_H
#define TESTS_SUPPORT_MACHINE_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is a symbol of this name right there; there may be others. */
bool kallsyms__is_at(const char *name, uint64_t address);

#endif /* TESTS_SUPPORT_MACHINE_KALLSYMS_H */
