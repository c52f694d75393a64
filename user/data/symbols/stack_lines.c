// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/stack_lines.c: source lines and inlined functions of the frames of a stack. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "symbols/files/table_lines.h"
#include "symbols/stack_lines.h"

/* Files of a stack whose addresses are asked for together. */
#define BATCHES_MAX 16

/* NULL: no memory. */
static struct table_lines *get_lines(struct peat_symbols *symbols, struct symbol_table *table)
{
	if (!table->lines)
		table->lines = table_lines__new(symbols->opts.no_demangle);
	if (table->lines)
		table_lines__begin(table->lines, symbols->call);
	return table->lines;
}

/* ---- failures -------------------------------------------------------------------------------- */

static const char *explain_lines_error(int err)
{
	switch (err) {
	case -ETIMEDOUT:
		return "reading its debug information takes too long";
	case -EFBIG:
	case -ENOMEM:
		return "its debug information needs too much memory";
	default:
		return "reading its debug information failed: is the file damaged?";
	}
}

/* A file without debug information is nothing unusual. */
static bool is_usual(int err)
{
	return err == -ENODATA || err == -ENOENT || err == -ENOEXEC || err == -ESTALE ||
	       err == -EXDEV || err == -ENOTSUP;
}

static void end_lines(const struct symbol_cache *cache, struct table_lines *lines,
		      const struct user_place *place, int err)
{
	const char *path = place->mapping->file->key.path;

	lines->is_over = true;
	if (is_usual(err))
		log__debug("%s: no source lines: %s", path, strerror(-err));
	else
		log__print(cache->quiet ? PEAT_LOG_INFO : PEAT_LOG_WARN,
			   "%s has no source lines: %s", path, explain_lines_error(err));
}

/* ---- in this process ------------------------------------------------------------------------- */

/* The file itself, if it has DWARF, else its debug file.  0 or a negative errno. */
static int open_elf(const struct symbol_cache *cache, const struct opened_file *opened,
		    struct elf_file **elf)
{
	struct elf_file *program;
	int fd = fcntl(opened->fd, F_DUPFD_CLOEXEC, 0);
	int err = fd < 0 ? -errno : elf_file__open(&program, fd, opened->path);

	if (err)
		return err;
	if (source_lines__are_in(program)) {
		*elf = program;
		return 0;
	}
	err = file_reader__open_debug(&cache->reader, opened, program, elf);
	elf_file__free(program);
	return err;
}

static int read_here(struct symbol_cache *cache, struct table_lines *lines,
		     const struct opened_file *opened)
{
	struct elf_file *elf;
	int err = open_elf(cache, opened, &elf);

	return err
		       ?: source_lines__new(&lines->here, elf, lines->cache.no_demangle,
					    SOURCE_FILES_OF_TRUSTED);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* The vdso has no lines. */
static bool may_ask(const struct table_lines *lines, const struct user_place *place)
{
	return place->mapping->file->kind == MAPPED_FILE && !lines->is_over && !lines->here &&
	       !lines->has_failed && !symbol_cache__are_early(lines->retry_ns);
}

/* Addresses whose lines were not found have none. */
static int ask_namer(const struct symbol_cache *cache, struct table_lines *lines,
		     const struct opened_file *opened, const uint64_t *addresses, uint32_t count)
{
	const struct source_frame *frames;
	int err = 0, known;

	/* The answer may be that of the addresses of a call before. */
	for (int tries = 0; tries < 2 && !err; tries++) {
		uint32_t i = 0;

		while (i < count && line_cache__find(&lines->cache, addresses[i], &frames, &known))
			i++;
		if (i == count)
			return 0;
		err = file_reader__lines(&cache->reader, opened, addresses, count, &lines->cache);
	}
	for (uint32_t i = 0; i < count && !err; i++)
		err = line_cache__add(&lines->cache, addresses[i], NULL, 0);
	return err;
}

static int ask_opened(struct symbol_cache *cache, struct table_lines *lines,
		      const struct opened_file *opened, const uint64_t *addresses, uint32_t count)
{
	int err = cache->reader.namer ? ask_namer(cache, lines, opened, addresses, count) : -EXDEV;

	return err == -EXDEV ? read_here(cache, lines, opened) : err;
}

/* Lines that the namer has not found yet, or may not look for, are asked for in a later call. */
static void ask(struct peat_symbols *symbols, struct symbol_table *table,
		const struct user_place *place, const uint64_t *addresses, uint32_t count)
{
	const struct file_place of_file = user_place__of_file(place);
	struct symbol_cache *cache = &symbols->cache;
	struct table_lines *lines = table->lines;
	struct opened_file opened;
	int err = symbol_file__open(&cache->reader, place->mapping->file, &of_file, &opened);

	if (!err) {
		err = ask_opened(cache, lines, &opened, addresses, count);
		close(opened.fd);
	}
	lines->has_failed = err;
	if (err == -EBUSY)
		lines->retry_ns = symbol_cache__retry_ns();
	else if (err && err != -EAGAIN)
		end_lines(cache, lines, place, err);
	symbol_cache__count(cache, table);
}

/* ---- addresses of a stack -------------------------------------------------------------------- */

/* Addresses of a file, and one of them as it is in the process. */
struct batch {
	struct symbol_table *table;
	uint64_t address;
	uint64_t vaddrs[LINE_ADDRESSES_MAX];
	uint32_t count;
};

struct batches {
	struct peat_symbols *symbols;
	uint32_t pid;
	uint64_t time_ns;
	struct batch list[BATCHES_MAX];
	uint32_t count;
};

/* The place is found again, since the search for others ended its validity. */
static void ask_batch(struct batches *batches, struct batch *batch)
{
	struct user_place place;

	if (batch->count &&
	    user_place__find(batches->symbols, batches->pid, batches->time_ns, batch->address,
			     &place) &&
	    may_ask(batch->table->lines, &place))
		ask(batches->symbols, batch->table, &place, batch->vaddrs, batch->count);
	batch->count = 0;
}

static struct batch *batch_of(struct batches *batches, struct symbol_table *table)
{
	struct batch *batch;

	for (uint32_t i = 0; i < batches->count; i++)
		if (batches->list[i].table == table)
			return &batches->list[i];
	if (batches->count == BATCHES_MAX) {
		batch = &batches->list[BATCHES_MAX - 1];
		ask_batch(batches, batch);
	} else {
		batch = &batches->list[batches->count++];
		batch->count = 0;
	}
	batch->table = table;
	return batch;
}

static bool has(const struct batch *batch, uint64_t vaddr)
{
	for (uint32_t i = 0; i < batch->count; i++)
		if (batch->vaddrs[i] == vaddr)
			return true;
	return false;
}

static void add_to_batch(struct batches *batches, struct symbol_table *table, uint64_t address,
			 uint64_t vaddr)
{
	struct batch *batch = batch_of(batches, table);

	if (has(batch, vaddr))
		return;
	if (batch->count == LINE_ADDRESSES_MAX)
		ask_batch(batches, batch);
	batch->address = address;
	batch->vaddrs[batch->count++] = vaddr;
}

static void add_place(struct batches *batches, const struct line_place *at)
{
	const uint64_t address = at->address - at->is_return;
	const struct source_frame *frames;
	struct symbol_table *table;
	struct table_lines *lines;
	struct user_place place;
	uint64_t vaddr;
	int count;

	if (!user_place__find(batches->symbols, batches->pid, batches->time_ns, address, &place))
		return;
	table = user_place__table(batches->symbols, &place);
	lines = table ? get_lines(batches->symbols, table) : NULL;
	if (lines && may_ask(lines, &place) &&
	    symbol_table__find_vaddr(table, place.file_offset, &vaddr) &&
	    !line_cache__find(&lines->cache, vaddr, &frames, &count))
		add_to_batch(batches, table, address, vaddr);
}

void stack_lines__ask(struct peat_symbols *symbols, uint32_t pid, uint64_t time_ns,
		      const struct line_place *list, uint32_t count)
{
	struct batches batches;

	if (!symbols->opts.lines || !symbols->cache.reader.namer)
		return;
	batches.symbols = symbols;
	batches.pid = pid;
	batches.time_ns = time_ns;
	batches.count = 0;
	for (uint32_t i = 0; i < count; i++)
		add_place(&batches, &list[i]);
	for (uint32_t i = 0; i < batches.count; i++)
		ask_batch(&batches, &batches.list[i]);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The frames of an address: their number, 0: there are none, or -ENOMEM. */
static int find_lines(struct peat_symbols *symbols, struct symbol_table *table,
		      const struct user_place *place, uint64_t vaddr,
		      const struct source_frame **frames)
{
	struct table_lines *lines = get_lines(symbols, table);
	int count;

	if (!lines)
		return -ENOMEM;
	if (line_cache__find(&lines->cache, vaddr, frames, &count))
		return count;
	if (may_ask(lines, place))
		ask(symbols, table, place, &vaddr, 1);
	if (lines->here) {
		count = source_lines__find(lines->here, vaddr, frames);
		symbol_cache__count(&symbols->cache, table);
		return count;
	}
	return line_cache__find(&lines->cache, vaddr, frames, &count) ? count : 0;
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
int stack_lines__add(struct peat_symbols *symbols, struct symbol_table *table,
		     const struct user_place *place, bool is_return)
{
	const struct peat_stack_frame last = symbols->frames[symbols->frames_count - 1];
	const struct source_frame *sources;
	uint64_t vaddr;
	int count;

	if (!symbol_table__find_vaddr(table, place->file_offset - is_return, &vaddr))
		return 0;
	count = find_lines(symbols, table, place, vaddr, &sources);
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
