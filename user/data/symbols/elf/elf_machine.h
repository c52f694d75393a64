/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/elf_machine.h: the ELF files that a machine can run.  Pure. */
#ifndef PEAT_SYMBOLS_ELF_ELF_MACHINE_H
#define PEAT_SYMBOLS_ELF_ELF_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a machine, named as in uname -m, runs programs for an EM_*.  That of an i686 counts as an
 * x86_64, since uname has both names for it.  True for an unknown name.
 */
bool elf_machine__runs(const char *arch, uint16_t machine);

#endif /* PEAT_SYMBOLS_ELF_ELF_MACHINE_H */
