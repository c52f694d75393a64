// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf/function_offset.c: searches symbol tables by name. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "elf/elf_file.h"
#include "elf/function_offset.h"
#include "sys/foreign_file.h"

struct search {
	const struct elf_file *file;
	const char *function;
	uint64_t offset;
	bool is_found, is_weak; /* the symbol that was found */
	bool is_ambiguous;
};

/* The name without its version: "malloc@@GLIBC_2.2.5" */
static bool is_function_name(const char *name, const char *function)
{
	size_t bytes = strlen(function);

	return !strncmp(name, function, bytes) && (!name[bytes] || name[bytes] == '@');
}

static void add_symbol(struct search *search, const GElf_Sym *symbol)
{
	const struct elf_load *load = elf_file__find_load(search->file, symbol->st_value);
	bool is_weak = GELF_ST_BIND(symbol->st_info) == STB_WEAK;
	uint64_t offset;

	if (!load || symbol->st_value - load->vaddr >= load->bytes)
		return;
	offset = symbol->st_value - load->vaddr + load->offset;
	if (!search->is_found || (search->is_weak && !is_weak)) {
		search->offset = offset;
		search->is_weak = is_weak;
		search->is_found = true;
	} else if (!is_weak && offset != search->offset) {
		search->is_ambiguous = true;
	}
}

static void search_table(struct search *search, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf *elf = search->file->elf;
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; i < INT32_MAX && gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && is_function_name(name, search->function))
			add_symbol(search, &symbol);
	}
}

static void search_tables(struct search *search, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!search->is_found && (section = elf_nextscn(search->file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			search_table(search, section, &header);
}

int function_offset__find(const char *path, const char *function, uint64_t *offset)
{
	struct search search = { .function = function };
	/* The path may be of a process: /proc/PID/root/..., /proc/PID/map_files/... */
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, NULL);
	struct elf_file *file;
	int err = fd < 0 ? fd : elf_file__open(&file, fd, path);

	if (err == -ENOTSUP) /* no regular file */
		return -ENOEXEC;
	if (err)
		return err;
	search.file = file;
	search_tables(&search, SHT_DYNSYM);
	search_tables(&search, SHT_SYMTAB);
	elf_file__free(file);
	if (!search.is_found)
		return -ENOENT;
	*offset = search.offset;
	return search.is_ambiguous ? -ENOTUNIQ : 0;
}
