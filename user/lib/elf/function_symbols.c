// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf/function_symbols.c: walks over the symbols of functions. */
#include <errno.h>
#include <string.h>

#include "elf/elf_file.h"
#include "elf/function_symbols.h"

/* All tables: a file with holes may claim any size, and many headers the same bytes. */
#define BUDGET_BYTES (UINT64_C(1) << 30)

struct walk {
	const struct elf_file *file;
	uint64_t bytes_left; /* of the budget */
	int (*visit)(void *arg, const struct function_symbol *symbol);
	void *arg;
};

static bool is_function(const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* False: no segment has code in the file there. */
static bool find_offset(const struct walk *walk, uint64_t vaddr, struct function_symbol *found)
{
	const struct elf_load *load = elf_file__find_load(walk->file, vaddr);

	if (!load || vaddr - load->vaddr >= load->bytes)
		return false;
	found->offset = vaddr - load->vaddr + load->offset;
	found->is_executable = load->is_executable;
	return true;
}

/* False: the name is not in the table of strings, empty, or too long. */
static bool find_name(struct elf_content strings, uint64_t at, struct function_symbol *found)
{
	size_t room, bytes;
	const char *version;

	if (at >= strings.bytes)
		return false;
	found->name = (const char *)strings.at + at;
	room = strings.bytes - at;
	if (room > FUNCTION_NAME_BYTES + 1)
		room = FUNCTION_NAME_BYTES + 1;
	bytes = strnlen(found->name, room);
	if (!bytes || bytes == room)
		return false;
	version = memchr(found->name + 1, '@', bytes - 1);
	found->name_bytes = version ? (size_t)(version - found->name) : bytes;
	found->version_bytes = bytes - found->name_bytes;
	return true;
}

static int visit_symbol(const struct walk *walk, struct elf_content strings, const GElf_Sym *symbol)
{
	struct function_symbol found = {
		.is_weak = GELF_ST_BIND(symbol->st_info) == STB_WEAK,
		.is_indirect = GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC,
	};

	if (!is_function(symbol) || !find_offset(walk, symbol->st_value, &found) ||
	    !find_name(strings, symbol->st_name, &found))
		return 0;
	return walk->visit(walk->arg, &found);
}

static int spend(struct walk *walk, uint64_t bytes)
{
	if (bytes > walk->bytes_left)
		return -E2BIG;
	walk->bytes_left -= bytes;
	return 0;
}

/* The strings of a table of symbols; none: there is no such section. */
static int find_strings(struct walk *walk, size_t index, struct elf_content *strings)
{
	Elf_Scn *section = elf_getscn(walk->file->elf, index);
	GElf_Shdr header;
	int err;

	*strings = (struct elf_content){ 0 };
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB)
		return 0;
	err = spend(walk, header.sh_size);
	if (err)
		return err;
	*strings = elf_file__content(section);
	return !strings->at && elf_file__is_out_of_memory() ? -ENOMEM : 0;
}

static int visit_table(struct walk *walk, Elf_Scn *section, const GElf_Shdr *header)
{
	struct elf_content strings;
	int err = spend(walk, header->sh_size);
	Elf_Data *data;
	GElf_Sym symbol;

	if (!err)
		err = find_strings(walk, header->sh_link, &strings);
	if (err)
		return err;
	data = elf_getdata(section, NULL);
	if (!data)
		return elf_file__is_out_of_memory() ? -ENOMEM : 0;
	for (int i = 0; !err && i < INT32_MAX && gelf_getsym(data, i, &symbol); i++)
		err = visit_symbol(walk, strings, &symbol);
	return err;
}

int function_symbols__visit(const struct elf_file *file, uint32_t type,
			    int (*visit)(void *arg, const struct function_symbol *symbol),
			    void *arg)
{
	struct walk walk = { file, BUDGET_BYTES, visit, arg };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	while (!err && (section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			err = visit_table(&walk, section, &header);
	return err;
}
