/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/mini_debuginfo.h: the section .gnu_debugdata: an ELF file with the symbols that were
 * stripped, compressed by xz.  Fedora's programs and libraries have it.
 */
#ifndef PEAT_SYMBOLS_ELF_MINI_DEBUGINFO_H
#define PEAT_SYMBOLS_ELF_MINI_DEBUGINFO_H

#include "elf/elf_file.h"

/*
 * Opens the file in the section.  0, -ENOENT: there is no such section, or liblzma was missing when
 * this was built; -ENOEXEC: it is invalid, or too big; -ENOMEM.
 */
int mini_debuginfo__open(const struct elf_file *program, struct elf_file **mini);

#endif /* PEAT_SYMBOLS_ELF_MINI_DEBUGINFO_H */
