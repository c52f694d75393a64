// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/table_unwind.c: call frame information beside a table of symbols. */
#include "base/internal.h"
#include "symbols/table_unwind.h"
#include "symbols/vdso.h"

static int open_file(const struct mapped_file *file, const struct file_place *place,
		     struct elf_file **elf)
{
	return file->kind == MAPPED_VDSO ? vdso__open(elf) : symbol_file__open(file, place, elf);
}

struct unwind_table *table_unwind__get(struct tables *tables, struct symbol_table *table,
				       const struct mapped_file *file,
				       const struct file_place *place)
{
	struct elf_file *elf;

	if (table->is_unwind_read)
		return table->unwind;
	if (open_file(file, place, &elf)) /* another process may reach it */
		return NULL;
	table->is_unwind_read = true;
	if (unwind_table__new(&table->unwind, elf, NULL))
		table->unwind = NULL;
	elf_file__free(elf);
	tables__count(tables, table);
	return table->unwind;
}

/* The startup code of a program has .eh_frame, also if the program itself has none. */
static bool add_debug(struct tables *tables, struct symbol_table *table,
		      const struct mapped_file *file, const struct file_place *place)
{
	struct elf_file *elf, *debug;
	int err;

	if (file->kind != MAPPED_FILE || open_file(file, place, &elf))
		return false;
	err = tables__open_debug(tables, elf, place, &debug);
	if (!err) {
		err = table->unwind ? unwind_table__add_debug(table->unwind, debug)
				    : unwind_table__new(&table->unwind, elf, debug);
		elf_file__free(debug);
	}
	elf_file__free(elf);
	tables__count(tables, table);
	return !err;
}

bool table_unwind__complete(struct tables *tables, struct symbol_table *table,
			    const struct mapped_file *file, const struct file_place *place)
{
	if (table->is_unwind_complete)
		return false;
	table->is_unwind_complete = true;
	if (add_debug(tables, table, file, place))
		return true;
	log__print(tables->quiet ? PEAT_LOG_INFO : PEAT_LOG_WARN,
		   "stacks end in %s: code without call frame information: compile it with "
		   "-fasynchronous-unwind-tables, or with frame pointers",
		   file->key.path);
	return false;
}
