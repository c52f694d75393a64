// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/tables.c: a table of symbols for each file, shared by all processes that map it. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "base/sip_hash.h"
#include "symbols/files/table_lines.h"
#include "symbols/files/tables.h"
#include "symbols/elf/vdso.h"

/* Pages of memory files can be swapped out, and few of them are used. */
#define MAPPED_RATIO 4

/* Tables that a stack needs beside those within the limit. */
#define BESIDE_BYTES (32u << 20)

/* Other processes may have the file within reach: so many are tried. */
#define FAILURES_MAX 8

/* A file whose owner has used up the time for reading is opened again after this. */
#define RETRY_NS 1000000000u

/* Files that cannot be read: more of them are only logged for debugging. */
#define WARNINGS_MAX 32

/* ---- memory ---------------------------------------------------------------------------------- */

static void unlink_used(struct tables *tables, struct symbol_table *table)
{
	*(table->newer ? &table->newer->older : &tables->newest) = table->older;
	*(table->older ? &table->older->newer : &tables->oldest) = table->newer;
	table->newer = table->older = NULL;
}

static void link_used(struct tables *tables, struct symbol_table *table)
{
	table->older = tables->newest;
	*(tables->newest ? &tables->newest->newer : &tables->oldest) = table;
	tables->newest = table;
	table->used_call = tables->call;
}

static void touch(struct tables *tables, struct symbol_table *table)
{
	table->used_call = tables->call;
	if (tables->newest == table)
		return;
	unlink_used(tables, table);
	link_used(tables, table);
}

/* Names are demangled later, so tables grow. */
void tables__count(struct tables *tables, struct symbol_table *table)
{
	size_t bytes = sizeof(*table) + table->loads_count * sizeof(*table->loads) +
		       table->symbols.bytes + table->symbols.names.bytes +
		       (table->unwind ? unwind_table__bytes(table->unwind) : 0) +
		       (table->lines ? table_lines__bytes(table->lines) : 0);

	tables->memory_bytes += bytes - table->bytes;
	table->bytes = bytes;
}

static void unload(struct tables *tables, struct symbol_table *table)
{
	if (!table->is_loaded)
		return;
	tables->mapped_bytes -= table->symbols.memory.bytes;
	unlink_used(tables, table);
	found_symbols__clear(&tables->found);
	elf_symbols__free(&table->symbols);
	table->is_loaded = false;
	unwind_table__free(table->unwind);
	table->unwind = NULL;
	table->is_unwind_read = table->is_unwind_complete = false;
	table_lines__free(table->lines);
	table->lines = NULL;
	tables->loaded--;
	tables__count(tables, table);
}

static uint64_t hash_key(const struct table_key *key)
{
	const uint64_t file[] = { key->device, key->inode, (uint64_t)key->bytes,
				  (uint64_t)key->changed_ns };

	return key->build_id.bytes ? sip_hash__key(key->build_id.id, key->build_id.bytes)
				   : sip_hash__key(file, sizeof(file));
}

static void free_table(struct tables *tables, struct symbol_table *table)
{
	unload(tables, table);
	tables->memory_bytes -= table->bytes;
	free(table->loads);
	free(table);
}

static void remove_table(struct tables *tables, struct symbol_table *table)
{
	hash__remove(&tables->by_key, &table->link);
	free_table(tables, table);
}

static void drop(struct tables *tables, struct symbol_table *table)
{
	log__debug("symbols: dropped a table of %zu KiB: all have %" PRIu64 " MiB, the limit is "
		   "%" PRIu64 " MiB",
		   table->bytes >> 10, tables->memory_bytes >> 20, tables->most_bytes >> 20);
	tables->dropped++;
	if (table->uses || table == tables->vdso)
		unload(tables, table);
	else
		remove_table(tables, table);
}

static bool is_over(const struct tables *tables, uint64_t bytes, uint64_t most)
{
	return tables->memory_bytes + tables->other_bytes + bytes > most;
}

/* The last one may be larger than the limit: each frame would read it again. */
void tables__trim(struct tables *tables)
{
	tables->call++;
	while ((is_over(tables, 0, tables->most_bytes) ||
		tables->mapped_bytes > MAPPED_RATIO * tables->most_bytes) &&
	       tables->oldest != tables->newest)
		drop(tables, tables->oldest);
}

/* The limit, or a table in use that is larger, and small ones beside it. */
static uint64_t most_in_call(const struct tables *tables)
{
	const struct symbol_table *table = tables->newest;
	uint64_t most = tables->most_bytes;

	for (; table && table->used_call == tables->call; table = table->older)
		if (table->bytes > most)
			most = table->bytes;
	return most + BESIDE_BYTES;
}

int tables__make_room(void *arg, uint64_t bytes, bool is_of_root)
{
	struct tables *tables = arg;

	while (is_over(tables, bytes, tables->most_bytes) && tables->oldest &&
	       tables->oldest->used_call != tables->call)
		drop(tables, tables->oldest);
	return !is_of_root && tables->oldest && is_over(tables, bytes, most_in_call(tables))
		       ? -EBUSY
		       : 0;
}

static void release(struct tables *tables, struct symbol_table *table)
{
	table->uses--;
	if (!table->uses && !table->is_loaded && table != tables->vdso)
		remove_table(tables, table);
}

void tables__release(struct mapped_file *file, void *tables)
{
	if (file->table)
		release(tables, file->table);
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_same(const struct table_key *a, const struct table_key *b)
{
	if (a->build_id.bytes || b->build_id.bytes)
		return build_id__equal(&a->build_id, &b->build_id);
	return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
	       a->changed_ns == b->changed_ns;
}

/* NULL: no memory. */
static struct symbol_table *find_or_add(struct tables *tables, const struct table_key *key)
{
	uint64_t code = hash_key(key);
	struct hash_link *link = hash__first(&tables->by_key, code);
	struct symbol_table *table;

	while (link && !is_same(&HASH_ENTRY(link, struct symbol_table, link)->key, key))
		link = hash__next(link);
	if (link)
		return HASH_ENTRY(link, struct symbol_table, link);
	table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->key = *key;
	if (hash__add(&tables->by_key, &table->link, code)) {
		free(table);
		return NULL;
	}
	return table;
}

static int make_key(const struct tables *tables, struct opened_file *file, struct table_key *key)
{
	const struct stat *found = &file->status;

	*key = (struct table_key){ 0 };
	if (file->is_of_root) {
		int err = file_reader__build_id(&tables->reader, file);

		key->build_id = file->build_id;
		if (err || key->build_id.bytes)
			return err;
	}
	key->device = found->st_dev;
	key->inode = found->st_ino;
	key->bytes = found->st_size;
	key->changed_ns = found->st_ctim.tv_sec * INT64_C(1000000000) + found->st_ctim.tv_nsec;
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The symbols belong to the table. */
static void load(struct tables *tables, struct symbol_table *table, const struct file_symbols *read)
{
	free(table->loads);
	table->symbols = read->symbols;
	tables->mapped_bytes += read->symbols.memory.bytes;
	table->loads = read->loads;
	table->loads_count = read->loads_count;
	table->is_stripped = read->is_stripped;
	table->is_loaded = true;
	link_used(tables, table);
	tables__count(tables, table);
	tables->loaded++;
	tables->read++;
}

static const char *explain(int err)
{
	switch (err) {
	case -ESTALE:
		return "the file at its path is another one: was it replaced after the program "
		       "was started, or recorded?";
	case -EXDEV:
		return "it was recorded on another machine or kernel, without a build-id: files of "
		       "this machine may be others";
	case -ENOEXEC:
		return "not a valid ELF file";
	case -ETIMEDOUT:
		return "reading its symbols takes too long";
	case -EPIPE:
	case -EPROTO:
	case -EBADMSG:
		return "reading its symbols failed: is the file damaged?";
	case -EFBIG:
	case -ENOMEM:
		return "its symbols need too much memory";
	default:
		return strerror(-err);
	}
}

static enum peat_log_level level_of_warnings(const struct tables *tables)
{
	if (tables->quiet)
		return PEAT_LOG_INFO;
	return tables->warnings < WARNINGS_MAX ? PEAT_LOG_WARN : PEAT_LOG_DEBUG;
}

static void warn(struct tables *tables, struct mapped_file *file, const char *why)
{
	if (file->is_warned)
		return;
	file->is_warned = true;
	log__print(level_of_warnings(tables), "some functions of %s have no names: %s",
		   file->key.path, why);
	if (++tables->warnings == WARNINGS_MAX && !tables->quiet)
		log__warn("files without names of functions: more are reported by -v only");
}

void tables__warn_stripped(struct tables *tables, struct mapped_file *file)
{
	static const char why[] = "stripped: install its debug symbols, or find them with "
				  "--debuginfod; addresses are printed instead";

	if (file->is_warned)
		return;
	if (!tables->stripped++) {
		warn(tables, file, why);
		return;
	}
	file->is_warned = true;
	log__info("some functions of %s have no names: %s", file->key.path, why);
}

static void attach(struct tables *tables, struct mapped_file *file, struct symbol_table *table)
{
	if (file->table == table)
		return;
	table->uses++; /* first: it may be the only one */
	tables__release(file, tables);
	file->table = table;
}

/* Stores symbols that were read, or the error. */
static void store(struct tables *tables, struct symbol_table *table, int err,
		  const struct file_symbols *read)
{
	if (!err)
		load(tables, table, read);
	else if (err != -EBUSY)
		table->err = err;
}

static int read_symbols(struct tables *tables, struct symbol_table *table,
			const struct opened_file *opened)
{
	struct file_symbols read;
	int err = tables__are_busy(tables, opened)
			  ? -EAGAIN
			  : file_reader__symbols(&tables->reader, opened, &read);

	if (err == -EAGAIN)
		tables__add_late(tables, table, opened, LATE_SYMBOLS);
	else
		store(tables, table, err, &read);
	return err;
}

/* A table that was dropped keeps its key, and the file has to be the same again. */
static int read_opened(struct tables *tables, struct mapped_file *file, struct opened_file *opened)
{
	struct symbol_table *table;
	struct table_key key;
	int err = make_key(tables, opened, &key);

	if (err)
		return err;
	table = find_or_add(tables, &key);
	if (!table)
		return -ENOMEM;
	attach(tables, file, table);
	if (table->is_loaded) {
		touch(tables, table);
		return 0;
	}
	return table->err ?: read_symbols(tables, table, opened);
}

/* ---- late files ------------------------------------------------------------------------------ */

bool tables__are_busy(const struct tables *tables, const struct opened_file *opened)
{
	return tables->late.count && !opened->is_of_root;
}

void tables__add_late(struct tables *tables, struct symbol_table *table,
		      const struct opened_file *opened, enum late_part part)
{
	if (late_files__add(&tables->late, table, opened, part))
		table->uses++;
}

static void end_late(struct tables *tables)
{
	struct symbol_table *table = tables->late.list[0].table;

	late_files__remove(&tables->late);
	release(tables, table);
}

/* The table may have been dropped since. */
static void store_frames(struct tables *tables, struct symbol_table *table, int err,
			 struct call_frames *frames)
{
	if (!table->is_loaded || table->is_unwind_read || err == -EBUSY) {
		if (!err)
			call_frames__free(frames);
		return;
	}
	table->is_unwind_read = true;
	if (!err && unwind_table__new(&table->unwind, frames))
		table->unwind = NULL;
	tables__count(tables, table);
}

/* -EAGAIN: it is not read yet. */
static int take_first(struct tables *tables)
{
	const struct late_file *late = &tables->late.list[0];
	struct call_frames frames;
	struct file_symbols read;
	int err;

	if (late->part == LATE_FRAMES) {
		err = file_reader__frames(&tables->reader, &late->file, &frames);
		if (err != -EAGAIN)
			store_frames(tables, late->table, err, &frames);
		return err;
	}
	err = file_reader__symbols(&tables->reader, &late->file, &read);
	if (err == -EAGAIN)
		return err;
	if (!err && late->table->is_loaded)
		file_symbols__free(&read);
	else
		store(tables, late->table, err, &read);
	return err;
}

void tables__take_late(struct tables *tables)
{
	const enum namer_patience patience = tables->reader.patience;

	tables->reader.patience = NAMER_NOW;
	while (tables->late.count && take_first(tables) != -EAGAIN)
		end_late(tables);
	tables->reader.patience = patience;
}

/* ---- mapped files ---------------------------------------------------------------------------- */

uint64_t tables__retry_ns(void)
{
	return monotonic_ns() + RETRY_NS;
}

bool tables__are_early(uint64_t retry_ns)
{
	return retry_ns && monotonic_ns() < retry_ns;
}

static struct symbol_table *read_table(struct tables *tables, struct mapped_file *file,
				       const struct file_place *place)
{
	struct opened_file opened;
	int err;

	if (file->failures >= FAILURES_MAX || (file->failures && file->failed_pid == place->pid) ||
	    tables__are_early(file->retry_ns))
		return NULL;
	err = symbol_file__open(&tables->reader, file, place, &opened);
	if (!err) {
		err = read_opened(tables, file, &opened);
		close(opened.fd);
	}
	if (!err)
		return file->table;
	if (err == -EBUSY)
		file->retry_ns = tables__retry_ns();
	if (err == -EBUSY || err == -EAGAIN)
		return NULL;
	file->failed_pid = place->pid;
	file->failures++;
	warn(tables, file, explain(err));
	return NULL;
}

static struct symbol_table *read_vdso(struct tables *tables)
{
	struct file_symbols read;
	struct elf_file *elf;
	int err;

	if (tables->has_no_vdso)
		return NULL;
	if (!tables->vdso)
		tables->vdso = calloc(1, sizeof(*tables->vdso));
	err = tables->vdso ? vdso__open(&elf) : -ENOMEM;
	if (!err) {
		err = file_symbols__read(&read, elf, NULL, tables->reader.no_demangle);
		elf_file__free(elf);
	}
	tables->has_no_vdso = err;
	if (err)
		return NULL;
	load(tables, tables->vdso, &read);
	tables->vdso->is_stripped = false; /* it has no debug file */
	return tables->vdso;
}

/* The vdso of a recording is that of its kernel, which symbols.c has checked. */
static struct symbol_table *get_vdso(struct tables *tables, const struct file_place *place)
{
	if (!vdso__is_ours(place->begin))
		return NULL;
	if (!tables->vdso || !tables->vdso->is_loaded)
		return read_vdso(tables);
	touch(tables, tables->vdso);
	return tables->vdso;
}

struct symbol_table *tables__get(struct tables *tables, struct mapped_file *file,
				 const struct file_place *place)
{
	if (file->kind == MAPPED_VDSO)
		return get_vdso(tables, place);
	if (file->kind != MAPPED_FILE)
		return NULL;
	if (file->table && late_files__have(&tables->late, file->table, LATE_SYMBOLS))
		return NULL;
	if (!file->table || !file->table->is_loaded)
		return read_table(tables, file, place);
	touch(tables, file->table);
	return file->table;
}

const struct elf_load *symbol_table__find_load(const struct symbol_table *table, uint64_t offset)
{
	for (size_t i = 0; i < table->loads_count; i++) {
		const struct elf_load *load = &table->loads[i];

		if (offset >= load->offset && offset - load->offset < load->bytes)
			return load;
	}
	return NULL;
}

bool symbol_table__find_vaddr(const struct symbol_table *table, uint64_t offset, uint64_t *vaddr)
{
	const struct elf_load *load = symbol_table__find_load(table, offset);

	if (load)
		*vaddr = load->vaddr + (offset - load->offset);
	return load;
}

struct elf_symbol *symbol_table__find(const struct symbol_table *table, uint64_t offset,
				      uint64_t *vaddr)
{
	return symbol_table__find_vaddr(table, offset, vaddr)
		       ? elf_symbols__find(&table->symbols, *vaddr)
		       : NULL;
}

const char *tables__name(struct tables *tables, struct symbol_table *table,
			 struct elf_symbol *symbol)
{
	const char *name;

	if (symbol->name)
		return symbol->name;
	name = elf_symbols__name(&table->symbols, symbol, tables->reader.no_demangle);
	tables__count(tables, table);
	return name;
}

void tables__free(struct tables *tables)
{
	if (tables->stripped > 1 && !tables->quiet)
		log__warn("some functions of %" PRIu32 " stripped files have no names: -v lists "
			  "the files",
			  tables->stripped);
	while (tables->late.count)
		end_late(tables);
	for_each_entry (&tables->by_key, link)
		free_table(tables, HASH_ENTRY(link, struct symbol_table, link));
	if (tables->vdso)
		free_table(tables, tables->vdso);
	hash__free(&tables->by_key);
	*tables = (struct tables){ 0 };
}
