// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/file_symbols.c: the functions of a file and of its debug file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf_plt.h"
#include "symbols/elf/file_symbols.h"
#include "symbols/elf/mini_debuginfo.h"

static int copy_loads(struct file_symbols *read, const struct elf_file *elf)
{
	read->loads = calloc(elf->loads_count + !elf->loads_count, sizeof(*read->loads));
	if (!read->loads)
		return -ENOMEM;
	memcpy(read->loads, elf->loads, elf->loads_count * sizeof(*read->loads));
	read->loads_count = elf->loads_count;
	return 0;
}

static bool has_section(const struct elf_file *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			return true;
	return false;
}

/* Frees a file that symbols were read from, unless their names are in it. */
static void finish_file(struct file_symbols *read, struct elf_file *file)
{
	if (!elf_file__are_mapped())
		elf_file__free(file);
	else
		read->kept[read->kept[0] != NULL] = file;
}

/*
 * The symbols of a debug file take the place of those for dynamic linking, which have other names
 * for some functions.  False: there are none.
 */
static bool add_debug_symbols(struct file_symbols *read, const struct elf_file *elf,
			      const struct elf_file *debug, int *err)
{
	if (!has_section(debug, SHT_SYMTAB))
		return false;
	*err = elf_symbols__add(&read->symbols, debug, elf);
	if (!*err)
		*err = elf_plt__add(&read->symbols, elf);
	return true;
}

/* Fedora's files have the symbols that are not for dynamic linking in a section. */
static int add_mini_symbols(struct file_symbols *read, const struct elf_file *elf)
{
	struct elf_file *mini;
	int err = mini_debuginfo__open(elf, &mini);

	if (err)
		return err == -ENOMEM ? err : 0;
	if (has_section(mini, SHT_SYMTAB))
		read->is_stripped = false;
	err = elf_symbols__add(&read->symbols, mini, elf);
	finish_file(read, mini);
	return err;
}

static int add_symbols(struct file_symbols *read, const struct elf_file *elf,
		       const struct debug_finder *finder)
{
	bool has_symbols = has_section(elf, SHT_SYMTAB), has_debug = false;
	struct elf_file *debug;
	int err = 0;

	if (!has_symbols && finder && !(err = finder->open(finder, elf, &debug))) {
		has_debug = add_debug_symbols(read, elf, debug, &err);
		finish_file(read, debug);
	}
	if (has_debug || err == -ENOMEM)
		return err;
	read->is_stripped = !has_symbols;
	err = elf_symbols__add(&read->symbols, elf, elf);
	return err || has_symbols ? err : add_mini_symbols(read, elf);
}

int file_symbols__read(struct file_symbols *read, const struct elf_file *elf,
		       const struct debug_finder *finder, bool no_demangle)
{
	int err;

	*read = (struct file_symbols){ 0 };
	err = copy_loads(read, elf);
	if (!err)
		err = add_symbols(read, elf, finder);
	if (!err)
		elf_symbols__finish(&read->symbols, no_demangle);
	else
		file_symbols__free(read);
	return err;
}

void file_symbols__free(struct file_symbols *read)
{
	elf_symbols__free(&read->symbols);
	free(read->loads);
	for (int i = 0; i < 2; i++)
		elf_file__free(read->kept[i]);
	*read = (struct file_symbols){ 0 };
}
