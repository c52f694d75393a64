/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/vdso.h: the code that the kernel maps into every process, from this process. */
#ifndef PEAT_SYMBOLS_ELF_VDSO_H
#define PEAT_SYMBOLS_ELF_VDSO_H

#include "elf/elf_file.h"

/*
 * Opens a copy of the vdso of this process: that of all processes of its class.  0, -ENOENT: there
 * is none, or another negative errno.
 */
int vdso__open(struct elf_file **file);

/* Whether a process with its vdso at this address has the same one: not 32-bit beside 64-bit. */
bool vdso__is_ours(uint64_t address);

#endif /* PEAT_SYMBOLS_ELF_VDSO_H */
