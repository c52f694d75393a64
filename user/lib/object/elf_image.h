/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/elf_image.h: the ELF file of a BPF object in memory, to be changed in place before libbpf
 * opens it.  The file may be hostile: libelf checks every offset against the file.
 */
#ifndef PEAT_OBJECT_ELF_IMAGE_H
#define PEAT_OBJECT_ELF_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes of the file itself, so that changes are changes of the file. */
struct elf_bytes {
	char *at; /* NULL: there are none */
	size_t count;
};

/* Whether libelf has recognized the file, NULL included, as one of BPF programs. */
bool elf_image__is_bpf(Elf *elf);

/* The content of a section; NULL is allowed. */
struct elf_bytes elf_image__bytes(Elf_Scn *section);

/* The first section of this name; NULL: there is none. */
Elf_Scn *elf_image__find_section(Elf *elf, const char *name);

/* Whether the section has programs. */
bool elf_image__has_code(Elf_Scn *section);

bool elf_image__has_symbol(Elf *elf, const char *name);

/* The memory of a global variable of 4 bytes, at any alignment.  NULL: there is none, or invalid.
 */
char *elf_image__find_word(Elf *elf, const char *name);

#endif /* PEAT_OBJECT_ELF_IMAGE_H */
