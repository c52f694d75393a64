/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_image.h: sections and symbols of a valid 64-bit ELF file in memory, for tests that damage it.
 */
#ifndef TESTS_UNIT_OBJECT_ELF_IMAGE_H
#define TESTS_UNIT_OBJECT_ELF_IMAGE_H

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include <check.h>

/* Section `i`; NULL after the last. */
static inline Elf64_Shdr *elf_image__at(void *image, size_t i)
{
	const Elf64_Ehdr *head = image;

	return i < head->e_shnum ? (Elf64_Shdr *)((char *)image + head->e_shoff) + i : NULL;
}

static inline void *elf_image__data(void *image, const Elf64_Shdr *section)
{
	return (char *)image + section->sh_offset;
}

static inline char *elf_image__name(void *image, const Elf64_Shdr *section)
{
	const Elf64_Ehdr *head = image;

	return (char *)elf_image__data(image, elf_image__at(image, head->e_shstrndx)) +
	       section->sh_name;
}

static inline Elf64_Shdr *elf_image__section(void *image, const char *name)
{
	Elf64_Shdr *section;

	for (size_t i = 0; (section = elf_image__at(image, i)); i++)
		if (!strcmp(elf_image__name(image, section), name))
			return section;
	ck_abort_msg("no section %s", name);
}

static inline Elf64_Shdr *elf_image__next_code(void *image, size_t *i)
{
	Elf64_Shdr *section;

	while ((section = elf_image__at(image, (*i)++)))
		if (section->sh_type == SHT_PROGBITS && section->sh_flags & SHF_EXECINSTR)
			return section;
	return NULL;
}

static inline char *elf_image__symbol_name(void *image, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *table = elf_image__section(image, ".symtab");

	return (char *)elf_image__data(image, elf_image__at(image, table->sh_link)) +
	       symbol->st_name;
}

static inline Elf64_Sym *elf_image__symbol(void *image, const char *name)
{
	const Elf64_Shdr *table = elf_image__section(image, ".symtab");
	Elf64_Sym *symbols = elf_image__data(image, table);

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (!strcmp(elf_image__symbol_name(image, &symbols[i]), name))
			return &symbols[i];
	ck_abort_msg("no symbol %s", name);
}

/* The memory of a variable. */
static inline void *elf_image__variable(void *image, const char *name)
{
	const Elf64_Sym *symbol = elf_image__symbol(image, name);

	return (char *)elf_image__data(image, elf_image__at(image, symbol->st_shndx)) +
	       symbol->st_value;
}

#endif /* TESTS_UNIT_OBJECT_ELF_IMAGE_H */
