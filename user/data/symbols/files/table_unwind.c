// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/table_unwind.c: call frame information beside a table of symbols. */
#include <errno.h>
#include <unistd.h>

#include "base/log.h"
#include "symbols/files/table_unwind.h"
#include "symbols/elf/vdso.h"

/* Other processes may have the file within reach: so many are tried. */
#define FAILURES_MAX 8

static int read_vdso(struct call_frames *frames)
{
	struct elf_file *elf;
	int err = vdso__open(&elf);

	if (err)
		return err;
	err = call_frames__read(frames, elf);
	elf_file__free(elf);
	return err;
}

/* -ENODATA: the file has none, -EAGAIN: they are read later. */
static int read_frames(struct symbol_cache *cache, struct symbol_table *table,
		       const struct mapped_file *file, const struct file_place *place,
		       struct call_frames *frames)
{
	struct opened_file opened;
	int err;

	if (file->kind == MAPPED_VDSO)
		return read_vdso(frames);
	err = symbol_file__open(&cache->reader, file, place, &opened);
	if (err)
		return err;
	err = symbol_cache__are_busy(cache, &opened)
		      ? -EAGAIN
		      : file_reader__frames(&cache->reader, &opened, frames);
	if (err == -EAGAIN)
		symbol_cache__add_late(cache, table, &opened, LATE_FRAMES);
	close(opened.fd);
	return err;
}

struct unwind_table *table_unwind__get(struct symbol_cache *cache, struct symbol_table *table,
				       const struct mapped_file *file,
				       const struct file_place *place)
{
	struct call_frames frames;
	int err;

	if (table->is_unwind_read || late_files__have(&cache->late, table, LATE_FRAMES) ||
	    symbol_cache__are_early(table->unwind_retry_ns))
		return table->unwind;
	err = read_frames(cache, table, file, place, &frames);
	if (err == -EBUSY)
		table->unwind_retry_ns = symbol_cache__retry_ns();
	if (err == -EAGAIN || err == -EBUSY)
		return NULL;
	if (err && err != -ENODATA && ++table->unwind_failures < FAILURES_MAX)
		return NULL; /* another process may reach it */
	table->is_unwind_read = true;
	if (!err && unwind_table__new(&table->unwind, &frames))
		table->unwind = NULL;
	symbol_cache__count(cache, table);
	return table->unwind;
}

/* The startup code of a program has .eh_frame, also if the program itself has none. */
static int add_debug(struct symbol_cache *cache, struct symbol_table *table,
		     const struct mapped_file *file, const struct file_place *place)
{
	struct opened_file opened;
	struct call_frames frames;
	int err;

	if (file->kind != MAPPED_FILE || (table->unwind && unwind_table__has_debug(table->unwind)))
		return -ENODATA;
	err = symbol_file__open(&cache->reader, file, place, &opened);
	if (err)
		return err;
	err = file_reader__debug_frame(&cache->reader, &opened, &frames);
	close(opened.fd);
	if (err)
		return err;
	if (!table->unwind)
		return unwind_table__new(&table->unwind, &frames);
	unwind_table__add_debug(table->unwind, &frames);
	return 0;
}

bool table_unwind__complete(struct symbol_cache *cache, struct symbol_table *table,
			    const struct mapped_file *file, const struct file_place *place)
{
	int err;

	if (table->is_unwind_complete || late_files__have(&cache->late, table, LATE_FRAMES))
		return false;
	err = add_debug(cache, table, file, place);
	if (err == -EAGAIN)
		return false; /* the next stack asks again */
	table->is_unwind_complete = true;
	if (!err) {
		symbol_cache__count(cache, table);
		return true;
	}
	log__print(cache->quiet ? PEAT_LOG_INFO : PEAT_LOG_WARN,
		   "stacks end in %s: code without call frame information: compile it with "
		   "-fasynchronous-unwind-tables, or with frame pointers",
		   file->key.path);
	return false;
}
