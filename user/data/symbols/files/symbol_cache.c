// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/symbol_cache.c: a table of symbols per file, shared by all processes. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "base/sip_hash.h"
#include "symbols/files/table_lines.h"
#include "symbols/files/symbol_cache.h"
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

static void unlink_used(struct symbol_cache *cache, struct symbol_table *table)
{
	*(table->newer ? &table->newer->older : &cache->newest) = table->older;
	*(table->older ? &table->older->newer : &cache->oldest) = table->newer;
	table->newer = table->older = NULL;
}

static void link_used(struct symbol_cache *cache, struct symbol_table *table)
{
	table->older = cache->newest;
	*(cache->newest ? &cache->newest->newer : &cache->oldest) = table;
	cache->newest = table;
	table->used_call = cache->call;
}

static void touch(struct symbol_cache *cache, struct symbol_table *table)
{
	table->used_call = cache->call;
	if (cache->newest == table)
		return;
	unlink_used(cache, table);
	link_used(cache, table);
}

/* Names are demangled later, so tables grow. */
void symbol_cache__count(struct symbol_cache *cache, struct symbol_table *table)
{
	size_t bytes = sizeof(*table) + table->loads_count * sizeof(*table->loads) +
		       table->symbols.bytes + table->symbols.names.bytes +
		       (table->unwind ? unwind_table__bytes(table->unwind) : 0) +
		       (table->lines ? table_lines__bytes(table->lines) : 0);

	cache->memory_bytes += bytes - table->bytes;
	table->bytes = bytes;
}

static void unload(struct symbol_cache *cache, struct symbol_table *table)
{
	if (!table->is_loaded)
		return;
	cache->mapped_bytes -= table->symbols.memory.bytes;
	unlink_used(cache, table);
	found_symbols__clear(&cache->found);
	elf_symbols__free(&table->symbols);
	table->is_loaded = false;
	unwind_table__free(table->unwind);
	table->unwind = NULL;
	table->is_unwind_read = table->is_unwind_complete = false;
	table_lines__free(table->lines);
	table->lines = NULL;
	cache->loaded--;
	symbol_cache__count(cache, table);
}

static uint64_t hash_key(const struct table_key *key)
{
	const uint64_t file[] = { key->device, key->inode, (uint64_t)key->bytes,
				  (uint64_t)key->changed_ns };

	return key->build_id.bytes ? sip_hash__key(key->build_id.id, key->build_id.bytes)
				   : sip_hash__key(file, sizeof(file));
}

static void free_table(struct symbol_cache *cache, struct symbol_table *table)
{
	unload(cache, table);
	cache->memory_bytes -= table->bytes;
	free(table->loads);
	free(table);
}

static void remove_table(struct symbol_cache *cache, struct symbol_table *table)
{
	hash__remove(&cache->by_key, &table->link);
	free_table(cache, table);
}

static void drop(struct symbol_cache *cache, struct symbol_table *table)
{
	log__debug("symbols: dropped a table of %zu KiB: all have %" PRIu64 " MiB, the limit is "
		   "%" PRIu64 " MiB",
		   table->bytes >> 10, cache->memory_bytes >> 20, cache->most_bytes >> 20);
	cache->dropped++;
	if (table->uses || table == cache->vdso)
		unload(cache, table);
	else
		remove_table(cache, table);
}

static bool is_cache_over(const struct symbol_cache *cache, uint64_t bytes, uint64_t most)
{
	return cache->memory_bytes + cache->other_bytes + bytes > most;
}

/* The last one may be larger than the limit: each frame would read it again. */
void symbol_cache__trim(struct symbol_cache *cache)
{
	cache->call++;
	while ((is_cache_over(cache, 0, cache->most_bytes) ||
		cache->mapped_bytes > MAPPED_RATIO * cache->most_bytes) &&
	       cache->oldest != cache->newest)
		drop(cache, cache->oldest);
}

/* The limit, or a table in use that is larger, and small ones beside it. */
static uint64_t most_in_call(const struct symbol_cache *cache)
{
	const struct symbol_table *table = cache->newest;
	uint64_t most = cache->most_bytes;

	for (; table && table->used_call == cache->call; table = table->older)
		if (table->bytes > most)
			most = table->bytes;
	return most + BESIDE_BYTES;
}

int symbol_cache__make_room(void *arg, uint64_t bytes, bool is_of_root)
{
	struct symbol_cache *cache = arg;

	while (is_cache_over(cache, bytes, cache->most_bytes) && cache->oldest &&
	       cache->oldest->used_call != cache->call)
		drop(cache, cache->oldest);
	return !is_of_root && cache->oldest && is_cache_over(cache, bytes, most_in_call(cache))
		       ? -EBUSY
		       : 0;
}

static void release(struct symbol_cache *cache, struct symbol_table *table)
{
	table->uses--;
	if (!table->uses && !table->is_loaded && table != cache->vdso)
		remove_table(cache, table);
}

void symbol_cache__release(struct mapped_file *file, void *cache)
{
	if (file->table)
		release(cache, file->table);
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
static struct symbol_table *find_or_add(struct symbol_cache *cache, const struct table_key *key)
{
	uint64_t code = hash_key(key);
	struct hash_link *link = hash__first(&cache->by_key, code);
	struct symbol_table *table;

	while (link && !is_same(&HASH_ENTRY(link, struct symbol_table, link)->key, key))
		link = hash__next(link);
	if (link)
		return HASH_ENTRY(link, struct symbol_table, link);
	table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->key = *key;
	if (hash__add(&cache->by_key, &table->link, code)) {
		free(table);
		return NULL;
	}
	return table;
}

static int make_key(const struct symbol_cache *cache, struct opened_file *file,
		    struct table_key *key)
{
	const struct stat *found = &file->status;

	*key = (struct table_key){ 0 };
	if (file->is_of_root) {
		int err = file_reader__build_id(&cache->reader, file);

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
static void load_table(struct symbol_cache *cache, struct symbol_table *table,
		       const struct file_symbols *read)
{
	free(table->loads);
	table->symbols = read->symbols;
	cache->mapped_bytes += read->symbols.memory.bytes;
	table->loads = read->loads;
	table->loads_count = read->loads_count;
	table->is_stripped = read->is_stripped;
	table->is_loaded = true;
	link_used(cache, table);
	symbol_cache__count(cache, table);
	cache->loaded++;
	cache->read++;
}

static const char *explain_symbols_error(int err)
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

static enum peat_log_level level_of_warnings(const struct symbol_cache *cache)
{
	if (cache->quiet)
		return PEAT_LOG_INFO;
	return cache->warnings < WARNINGS_MAX ? PEAT_LOG_WARN : PEAT_LOG_DEBUG;
}

static void warn(struct symbol_cache *cache, struct mapped_file *file, const char *why)
{
	if (file->is_warned)
		return;
	file->is_warned = true;
	log__print(level_of_warnings(cache), "some functions of %s have no names: %s",
		   file->key.path, why);
	if (++cache->warnings == WARNINGS_MAX && !cache->quiet)
		log__warn("files without names of functions: more are reported by -v only");
}

void symbol_cache__warn_stripped(struct symbol_cache *cache, struct mapped_file *file)
{
	static const char why[] =
		"stripped: install its debug symbols, or let servers find "
		"them (debuginfod of peat_symbols_opts); addresses are printed instead";

	if (file->is_warned)
		return;
	if (!cache->stripped++) {
		warn(cache, file, why);
		return;
	}
	file->is_warned = true;
	log__info("some functions of %s have no names: %s", file->key.path, why);
}

static void attach(struct symbol_cache *cache, struct mapped_file *file, struct symbol_table *table)
{
	if (file->table == table)
		return;
	table->uses++; /* first: it may be the only one */
	symbol_cache__release(file, cache);
	file->table = table;
}

/* Stores symbols that were read, or the error. */
static void store(struct symbol_cache *cache, struct symbol_table *table, int err,
		  const struct file_symbols *read)
{
	if (!err)
		load_table(cache, table, read);
	else if (err != -EBUSY)
		table->err = err;
}

static int read_symbols(struct symbol_cache *cache, struct symbol_table *table,
			const struct opened_file *opened)
{
	struct file_symbols read;
	int err = symbol_cache__are_busy(cache, opened)
			  ? -EAGAIN
			  : file_reader__symbols(&cache->reader, opened, &read);

	if (err == -EAGAIN)
		symbol_cache__add_late(cache, table, opened, LATE_SYMBOLS);
	else
		store(cache, table, err, &read);
	return err;
}

/* A table that was dropped keeps its key, and the file has to be the same again. */
static int read_opened(struct symbol_cache *cache, struct mapped_file *file,
		       struct opened_file *opened)
{
	struct symbol_table *table;
	struct table_key key;
	int err = make_key(cache, opened, &key);

	if (err)
		return err;
	table = find_or_add(cache, &key);
	if (!table)
		return -ENOMEM;
	attach(cache, file, table);
	if (table->is_loaded) {
		touch(cache, table);
		return 0;
	}
	return table->err ?: read_symbols(cache, table, opened);
}

/* ---- late files ------------------------------------------------------------------------------ */

bool symbol_cache__are_busy(const struct symbol_cache *cache, const struct opened_file *opened)
{
	return cache->late.count && !opened->is_of_root;
}

void symbol_cache__add_late(struct symbol_cache *cache, struct symbol_table *table,
			    const struct opened_file *opened, enum late_part part)
{
	if (late_files__add(&cache->late, table, opened, part))
		table->uses++;
}

static void end_late(struct symbol_cache *cache)
{
	struct symbol_table *table = cache->late.list[0].table;

	late_files__remove(&cache->late);
	release(cache, table);
}

/* The table may have been dropped since. */
static void store_frames(struct symbol_cache *cache, struct symbol_table *table, int err,
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
	symbol_cache__count(cache, table);
}

/* -EAGAIN: it is not read yet. */
static int take_first(struct symbol_cache *cache)
{
	const struct late_file *late = &cache->late.list[0];
	struct call_frames frames;
	struct file_symbols read;
	int err;

	if (late->part == LATE_FRAMES) {
		err = file_reader__frames(&cache->reader, &late->file, &frames);
		if (err != -EAGAIN)
			store_frames(cache, late->table, err, &frames);
		return err;
	}
	err = file_reader__symbols(&cache->reader, &late->file, &read);
	if (err == -EAGAIN)
		return err;
	if (!err && late->table->is_loaded)
		file_symbols__free(&read);
	else
		store(cache, late->table, err, &read);
	return err;
}

void symbol_cache__take_late(struct symbol_cache *cache)
{
	const enum namer_patience patience = cache->reader.patience;

	cache->reader.patience = NAMER_NOW;
	while (cache->late.count && take_first(cache) != -EAGAIN)
		end_late(cache);
	cache->reader.patience = patience;
}

/* ---- mapped files ---------------------------------------------------------------------------- */

uint64_t symbol_cache__retry_ns(void)
{
	return monotonic_ns() + RETRY_NS;
}

bool symbol_cache__are_early(uint64_t retry_ns)
{
	return retry_ns && monotonic_ns() < retry_ns;
}

static struct symbol_table *read_table(struct symbol_cache *cache, struct mapped_file *file,
				       const struct file_place *place)
{
	struct opened_file opened;
	int err;

	if (file->failures >= FAILURES_MAX || (file->failures && file->failed_pid == place->pid) ||
	    symbol_cache__are_early(file->retry_ns))
		return NULL;
	err = symbol_file__open(&cache->reader, file, place, &opened);
	if (!err) {
		err = read_opened(cache, file, &opened);
		close(opened.fd);
	}
	if (!err)
		return file->table;
	if (err == -EBUSY)
		file->retry_ns = symbol_cache__retry_ns();
	if (err == -EBUSY || err == -EAGAIN)
		return NULL;
	file->failed_pid = place->pid;
	file->failures++;
	warn(cache, file, explain_symbols_error(err));
	return NULL;
}

static struct symbol_table *read_vdso(struct symbol_cache *cache)
{
	struct file_symbols read;
	struct elf_file *elf;
	int err;

	if (cache->has_no_vdso)
		return NULL;
	if (!cache->vdso)
		cache->vdso = calloc(1, sizeof(*cache->vdso));
	err = cache->vdso ? vdso__open(&elf) : -ENOMEM;
	if (!err) {
		err = file_symbols__read(&read, elf, NULL, cache->reader.no_demangle);
		elf_file__free(elf);
	}
	cache->has_no_vdso = err;
	if (err)
		return NULL;
	load_table(cache, cache->vdso, &read);
	cache->vdso->is_stripped = false; /* it has no debug file */
	return cache->vdso;
}

/* The vdso of a recording is that of its kernel, which symbols.c has checked. */
static struct symbol_table *get_vdso(struct symbol_cache *cache, const struct file_place *place)
{
	if (!vdso__is_ours(place->begin))
		return NULL;
	if (!cache->vdso || !cache->vdso->is_loaded)
		return read_vdso(cache);
	touch(cache, cache->vdso);
	return cache->vdso;
}

struct symbol_table *symbol_cache__get(struct symbol_cache *cache, struct mapped_file *file,
				       const struct file_place *place)
{
	if (file->kind == MAPPED_VDSO)
		return get_vdso(cache, place);
	if (file->kind != MAPPED_FILE)
		return NULL;
	if (file->table && late_files__have(&cache->late, file->table, LATE_SYMBOLS))
		return NULL;
	if (!file->table || !file->table->is_loaded)
		return read_table(cache, file, place);
	touch(cache, file->table);
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

const char *symbol_cache__name(struct symbol_cache *cache, struct symbol_table *table,
			       struct elf_symbol *symbol)
{
	const char *name;

	if (symbol->name)
		return symbol->name;
	name = elf_symbols__name(&table->symbols, symbol, cache->reader.no_demangle);
	symbol_cache__count(cache, table);
	return name;
}

void symbol_cache__free(struct symbol_cache *cache)
{
	if (cache->stripped > 1 && !cache->quiet)
		log__warn("some functions of %" PRIu32 " stripped files have no names: -v lists "
			  "the files",
			  cache->stripped);
	while (cache->late.count)
		end_late(cache);
	for_each_entry (&cache->by_key, link)
		free_table(cache, HASH_ENTRY(link, struct symbol_table, link));
	if (cache->vdso)
		free_table(cache, cache->vdso);
	hash__free(&cache->by_key);
	*cache = (struct symbol_cache){ 0 };
}
