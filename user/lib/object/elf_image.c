// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/elf_image.c: finds parts of the ELF file of a BPF object. */
#include <gelf.h>
#include <stdint.h>
#include <string.h>

#include "object/elf_image.h"

bool elf_image__is_bpf(Elf *elf)
{
	GElf_Ehdr header;

	return elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) &&
	       header.e_machine == EM_BPF;
}

struct elf_bytes elf_image__bytes(Elf_Scn *section)
{
	const Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf)
		return (struct elf_bytes){ 0 };
	return (struct elf_bytes){ data->d_buf, data->d_size };
}

Elf_Scn *elf_image__find_section(Elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && !strcmp(name, wanted))
			break;
	}
	return section;
}

bool elf_image__has_code(Elf_Scn *section)
{
	GElf_Shdr header;

	return gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
	       header.sh_flags & SHF_EXECINSTR;
}

static bool find_in_table(Elf *elf, Elf_Scn *table, const char *name, GElf_Sym *symbol)
{
	Elf_Data *data = elf_getdata(table, NULL);
	GElf_Shdr header;

	if (!data || !gelf_getshdr(table, &header))
		return false;
	for (int i = 0; gelf_getsym(data, i, symbol); i++) {
		const char *found = elf_strptr(elf, header.sh_link, symbol->st_name);

		if (found && !strcmp(found, name))
			return true;
	}
	return false;
}

static bool find_symbol(Elf *elf, const char *name, GElf_Sym *symbol)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
		    find_in_table(elf, section, name, symbol))
			return true;
	return false;
}

bool elf_image__has_symbol(Elf *elf, const char *name)
{
	GElf_Sym symbol;

	return find_symbol(elf, name, &symbol);
}

char *elf_image__find_word(Elf *elf, const char *name)
{
	struct elf_bytes bytes;
	GElf_Sym symbol;

	if (!find_symbol(elf, name, &symbol))
		return NULL;
	bytes = elf_image__bytes(elf_getscn(elf, symbol.st_shndx));
	if (bytes.count < sizeof(uint32_t) || symbol.st_value > bytes.count - sizeof(uint32_t))
		return NULL;
	return bytes.at + symbol.st_value;
}
