// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/table_lines.c: source lines and inlined functions beside a table of symbols. */
#include "base/internal.h"
#include "symbols/dwarf/source_lines.h"
#include "symbols/table_lines.h"

/* The file itself, if it has DWARF, else its debug file.  0 or a negative errno. */
static int open_file(const struct tables *tables, const struct user_place *place,
		     struct elf_file **elf)
{
	const struct file_place of_file = user_place__of_file(place);
	struct opened_file opened;
	struct elf_file *program;
	int err = symbol_file__open(&tables->reader, place->mapping->file, &of_file, &opened);

	if (err)
		return err;
	err = elf_file__open(&program, opened.fd, opened.path);
	if (err)
		return err;
	if (source_lines__are_in(program)) {
		*elf = program;
		return 0;
	}
	err = file_reader__open_debug(&tables->reader, &opened, program, elf);
	elf_file__free(program);
	return err;
}

/* NULL: the file has no lines, or is the vdso. */
static struct source_lines *get_lines(struct peat_symbols *symbols, struct symbol_table *table,
				      const struct user_place *place)
{
	struct tables *tables = &symbols->tables;
	struct elf_file *elf;
	int err;

	if (table->are_lines_read || place->mapping->file->kind != MAPPED_FILE)
		return table->lines;
	table->are_lines_read = true;
	err = open_file(tables, place, &elf);
	if (!err)
		err = source_lines__new(&table->lines, elf, symbols->opts.no_demangle);
	if (err)
		log__debug("%s: no source lines: %s", place->mapping->file->key.path,
			   strerror(-err));
	else
		tables__count(tables, table);
	return table->lines;
}

static void set_source(struct peat_stack_frame *frame, const struct source_frame *source)
{
	frame->file = source->file;
	frame->line = source->line;
	if (!source->raw_name)
		return;
	frame->symbol = source->name;
	frame->raw_symbol = source->raw_name;
	frame->offset = 0;
	frame->inlined = true;
}

/* The last frame stays the last: the functions inlined into it come before. */
int table_lines__add(struct peat_symbols *symbols, struct symbol_table *table,
		     const struct user_place *place, bool is_return)
{
	struct source_lines *lines = get_lines(symbols, table, place);
	const struct peat_stack_frame last = symbols->frames[symbols->frames_count - 1];
	const struct source_frame *sources;
	uint64_t vaddr;
	int count;

	if (!lines || !symbol_table__find_vaddr(table, place->file_offset - is_return, &vaddr))
		return 0;
	count = source_lines__find(lines, vaddr, &sources);
	tables__count(&symbols->tables, table);
	if (count < 0)
		return count;
	for (int i = 0; i < count; i++) {
		struct peat_stack_frame *frame = &symbols->frames[symbols->frames_count - 1];

		if (i)
			frame = stack_frames__append(symbols);
		if (!frame)
			return -ENOMEM;
		*frame = last;
		set_source(frame, &sources[i]);
	}
	return 0;
}
