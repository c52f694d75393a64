// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/tables.c: a table of symbols for each file, shared by all processes that map it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/internal.h"
#include "symbols/elf_plt.h"
#include "symbols/mini_debuginfo.h"
#include "symbols/tables.h"
#include "symbols/vdso.h"

#define SLOTS_MIN 64

/* Other processes may have the file within reach: so many are tried. */
#define FAILURES_MAX 8

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
}

static void touch(struct tables *tables, struct symbol_table *table)
{
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
		       (table->lines ? source_lines__bytes(table->lines) : 0);

	tables->memory_bytes += bytes - table->bytes;
	table->bytes = bytes;
}

static void unload(struct tables *tables, struct symbol_table *table)
{
	if (!table->is_loaded)
		return;
	unlink_used(tables, table);
	found_symbols__clear(&tables->found);
	elf_symbols__free(&table->symbols);
	table->is_loaded = false;
	unwind_table__free(table->unwind);
	table->unwind = NULL;
	table->is_unwind_read = table->is_unwind_complete = false;
	source_lines__free(table->lines);
	table->lines = NULL;
	table->are_lines_read = false;
	tables->loaded--;
	tables__count(tables, table);
}

static struct symbol_table **slot_of(const struct tables *tables, const struct table_key *key)
{
	uint64_t hash = key->build_id.bytes ? 0 : key->inode * 0x9e3779b97f4a7c15;

	for (uint8_t i = 0; i < key->build_id.bytes; i++)
		hash = (hash ^ key->build_id.id[i]) * 0x100000001b3;
	return &tables->slots[(hash ^ hash >> 32) & (tables->slots_count - 1)];
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
	struct symbol_table **at = slot_of(tables, &table->key);

	while (*at != table)
		at = &(*at)->next;
	*at = table->next;
	tables->count--;
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

void tables__trim(struct tables *tables)
{
	while (tables->memory_bytes > tables->most_bytes && tables->oldest)
		drop(tables, tables->oldest);
}

void tables__release(struct mapped_file *file, void *arg)
{
	struct tables *tables = arg;
	struct symbol_table *table = file->table;

	if (!table)
		return;
	table->uses--;
	if (!table->uses && !table->is_loaded && table != tables->vdso)
		remove_table(tables, table);
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_same(const struct table_key *a, const struct table_key *b)
{
	if (a->build_id.bytes || b->build_id.bytes)
		return build_id__equal(&a->build_id, &b->build_id);
	return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
	       a->changed_ns == b->changed_ns;
}

static int grow(struct tables *tables)
{
	struct tables grown = *tables;

	grown.slots_count = tables->slots_count ? 2 * tables->slots_count : SLOTS_MIN;
	grown.slots = calloc(grown.slots_count, sizeof(struct symbol_table *));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < tables->slots_count; i++) {
		while (tables->slots[i]) {
			struct symbol_table *table = tables->slots[i], **slot;

			tables->slots[i] = table->next;
			slot = slot_of(&grown, &table->key);
			table->next = *slot;
			*slot = table;
		}
	}
	free(tables->slots);
	*tables = grown;
	return 0;
}

static int copy_loads(struct symbol_table *table, const struct elf_file *elf)
{
	table->loads = calloc(elf->loads_count + !elf->loads_count, sizeof(*table->loads));
	if (!table->loads)
		return -ENOMEM;
	memcpy(table->loads, elf->loads, elf->loads_count * sizeof(*table->loads));
	table->loads_count = elf->loads_count;
	return 0;
}

static struct symbol_table *make_table(const struct table_key *key, const struct elf_file *elf)
{
	struct symbol_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->key = *key;
	if (copy_loads(table, elf)) {
		free(table);
		return NULL;
	}
	return table;
}

/* NULL: no memory. */
static struct symbol_table *find_or_add(struct tables *tables, const struct table_key *key,
					const struct elf_file *elf)
{
	struct symbol_table *table, **slot;

	if (tables->count >= tables->slots_count && grow(tables))
		return NULL;
	slot = slot_of(tables, key);
	for (table = *slot; table; table = table->next)
		if (is_same(&table->key, key))
			return table;
	table = make_table(key, elf);
	if (!table)
		return NULL;
	table->next = *slot;
	*slot = table;
	tables->count++;
	return table;
}

static void make_key(struct table_key *key, const struct elf_file *elf)
{
	struct stat found;

	*key = (struct table_key){ .build_id = elf->build_id };
	if (key->build_id.bytes || elf->fd < 0 || fstat(elf->fd, &found))
		return;
	key->device = found.st_dev;
	key->inode = found.st_ino;
	key->bytes = found.st_size;
	key->changed_ns = found.st_mtim.tv_sec * INT64_C(1000000000) + found.st_mtim.tv_nsec;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool has_section(const struct elf_file *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			return true;
	return false;
}

int tables__open_debug(const struct tables *tables, const struct elf_file *elf,
		       const struct file_place *place, struct elf_file **debug)
{
	bool is_live = place && place->is_live;
	char root[32];

	if (is_live)
		snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", place->pid);
	return debug_file__open(elf, elf->path, is_live ? root : NULL, &tables->debug_places,
				debug);
}

/*
 * The symbols of a debug file take the place of those for dynamic linking, which have other names
 * for some functions.  False: there are none.
 */
static bool add_debug_symbols(struct symbol_table *table, const struct elf_file *elf,
			      const struct elf_file *debug, int *err)
{
	if (!has_section(debug, SHT_SYMTAB))
		return false;
	*err = elf_symbols__add(&table->symbols, debug, elf);
	if (!*err)
		*err = elf_plt__add(&table->symbols, elf);
	return true;
}

/* Fedora's files have the symbols that are not for dynamic linking in a section. */
static int add_mini_symbols(struct symbol_table *table, const struct elf_file *elf)
{
	struct elf_file *mini;
	int err = mini_debuginfo__open(elf, &mini);

	if (err)
		return err == -ENOMEM ? err : 0;
	if (has_section(mini, SHT_SYMTAB))
		table->is_stripped = false;
	err = elf_symbols__add(&table->symbols, mini, elf);
	elf_file__free(mini);
	return err;
}

static int add_symbols(struct tables *tables, struct symbol_table *table,
		       const struct elf_file *elf, const struct file_place *place)
{
	bool has_symbols = has_section(elf, SHT_SYMTAB), has_debug = false;
	struct elf_file *debug;
	int err = 0;

	table->is_stripped = false;
	if (!has_symbols && !(err = tables__open_debug(tables, elf, place, &debug))) {
		has_debug = add_debug_symbols(table, elf, debug, &err);
		elf_file__free(debug);
	}
	if (has_debug || err == -ENOMEM)
		return err;
	table->is_stripped = !has_symbols;
	err = elf_symbols__add(&table->symbols, elf, elf);
	return err || has_symbols ? err : add_mini_symbols(table, elf);
}

static int load(struct tables *tables, struct symbol_table *table, const struct elf_file *elf,
		const struct file_place *place)
{
	int err = add_symbols(tables, table, elf, place);

	if (err) {
		elf_symbols__free(&table->symbols);
		return err;
	}
	elf_symbols__finish(&table->symbols, tables->no_demangle);
	table->is_loaded = true;
	link_used(tables, table);
	tables__count(tables, table);
	tables->loaded++;
	tables->read++;
	return 0;
}

static const char *explain(int err)
{
	switch (err) {
	case -ESTALE:
		return "the file at its path is another one: was it replaced after the program "
		       "was started, or recorded?";
	case -ENOEXEC:
		return "not a valid ELF file";
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

/* A table that was dropped keeps its key, and the file has to be the same again. */
static struct symbol_table *attach(struct tables *tables, struct mapped_file *file,
				   const struct elf_file *elf, const struct file_place *place)
{
	struct symbol_table *table;
	struct table_key key;

	make_key(&key, elf);
	table = find_or_add(tables, &key, elf);
	if (!table)
		return NULL;
	if (file->table != table) {
		tables__release(file, tables);
		file->table = table;
		table->uses++;
	}
	if (table->is_loaded) {
		touch(tables, table);
		return table;
	}
	return load(tables, table, elf, place) ? NULL : table;
}

static struct symbol_table *read_table(struct tables *tables, struct mapped_file *file,
				       const struct file_place *place)
{
	struct symbol_table *table;
	struct elf_file *elf;
	int err;

	if (file->failures >= FAILURES_MAX || (file->failures && file->failed_pid == place->pid))
		return NULL;
	err = symbol_file__open(file, place, &elf);
	if (!err) {
		table = attach(tables, file, elf, place);
		elf_file__free(elf);
		return table;
	}
	file->failed_pid = place->pid;
	file->failures++;
	warn(tables, file, explain(err));
	return NULL;
}

static struct symbol_table *read_vdso(struct tables *tables)
{
	struct elf_file *elf;

	if (tables->has_no_vdso)
		return NULL;
	if (!vdso__open(&elf)) {
		if (!tables->vdso)
			tables->vdso = make_table(&(struct table_key){ 0 }, elf);
		if (tables->vdso && !load(tables, tables->vdso, elf, NULL)) {
			tables->vdso->is_stripped = false; /* it has no debug file */
			elf_file__free(elf);
			return tables->vdso;
		}
		elf_file__free(elf);
	}
	tables->has_no_vdso = true;
	return NULL;
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
	name = elf_symbols__name(&table->symbols, symbol, tables->no_demangle);
	tables__count(tables, table);
	return name;
}

void tables__free(struct tables *tables)
{
	if (tables->stripped > 1 && !tables->quiet)
		log__warn("some functions of %" PRIu32 " stripped files have no names: -v lists "
			  "the files",
			  tables->stripped);
	for (size_t i = 0; i < tables->slots_count; i++) {
		while (tables->slots[i]) {
			struct symbol_table *table = tables->slots[i];

			tables->slots[i] = table->next;
			free_table(tables, table);
		}
	}
	if (tables->vdso)
		free_table(tables, tables->vdso);
	free(tables->slots);
	*tables = (struct tables){ 0 };
}
