/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/files/symbol_cache.h: a table of symbols for each file, shared by all processes that map
 * it.
 *
 * Files of root that nobody else can write are the same if they have the same build-id.  A build-id
 * proves nothing about other files, since their owners choose it: those are the same if device,
 * inode, size and time of change are.  Beyond a limit of memory the tables used least recently are
 * dropped, but the last one.  A stack may need several tables at once: if those of files of others
 * than root are too large together, the last ones are not read.
 */
#ifndef PEAT_SYMBOLS_FILES_SYMBOL_CACHE_H
#define PEAT_SYMBOLS_FILES_SYMBOL_CACHE_H

#include <sys/types.h>

#include "base/hash.h"
#include "symbols/files/file_reader.h"
#include "symbols/files/found_symbols.h"
#include "symbols/files/late_files.h"
#include "symbols/files/symbol_file.h"
#include "symbols/dwarf/unwind_table.h"

struct table_lines;

struct table_key {
	struct build_id build_id; /* of files of root; the rest is 0 then */
	dev_t device;
	ino_t inode;
	off_t bytes;
	int64_t changed_ns;
};

struct symbol_table {
	struct table_key key;
	struct elf_symbols symbols;
	struct elf_load *loads;
	size_t loads_count;
	bool is_loaded;		     /* `symbols` are there: neither dropped nor failed */
	int err;		     /* of reading it: it is not tried again; 0: none */
	bool is_stripped;	     /* only symbols for dynamic linking */
	struct unwind_table *unwind; /* of symbols/files/table_unwind.c; NULL: none, or not read */
	bool is_unwind_read;
	uint8_t unwind_failures;
	uint64_t unwind_retry_ns;  /* as mapped_file.retry_ns */
	bool is_unwind_complete;   /* the debug file has no more of it */
	struct table_lines *lines; /* of symbols/files/table_lines.c; NULL: not asked for */
	size_t bytes;		   /* of memory */
	uint32_t uses;		   /* mapped files with this table */
	uint64_t used_call;	   /* the call that used it last */
	struct hash_link link;
	struct symbol_table *newer, *older; /* list by last use; only loaded ones */
};

struct symbol_cache {
	struct hash by_key;
	struct symbol_table *newest, *oldest;
	struct found_symbols found; /* in loaded tables */
	struct symbol_table *vdso;
	bool has_no_vdso;
	uint64_t memory_bytes, most_bytes;
	uint64_t mapped_bytes; /* of memory files with names: four times most_bytes */
	uint64_t other_bytes;  /* of perf maps: they share the limit */
	uint64_t call;	       /* tables used in this call stay */
	uint64_t loaded, read, dropped;
	uint32_t warnings, stripped;
	bool quiet; /* as in peat_symbols_opts */
	struct file_reader reader;
	struct late_files late; /* if the reader is in a hurry */
};

/*
 * The table of a mapped file, which is read if it is not in memory.  NULL: the file cannot be read;
 * the log has the reason, once for each file.  Valid until symbol_cache__trim().
 */
struct symbol_table *symbol_cache__get(struct symbol_cache *cache, struct mapped_file *file,
				       const struct file_place *place);

/*
 * Logs once that a file has only symbols for dynamic linking, when an address has no name: the
 * first such file as a warning, others for -v, and their number at the end.
 */
void symbol_cache__warn_stripped(struct symbol_cache *cache, struct mapped_file *file);

/* Counts the memory of a table again. */
void symbol_cache__count(struct symbol_cache *cache, struct symbol_table *table);

/* The time at which reading is tried again that returned -EBUSY; whether it is too early. */
uint64_t symbol_cache__retry_ns(void);
bool symbol_cache__are_early(uint64_t retry_ns);

/* Takes what the namer has read since the last call.  Does not wait. */
void symbol_cache__take_late(struct symbol_cache *cache);

/* Whether a file has to wait for others: files of root have a namer of their own. */
bool symbol_cache__are_busy(const struct symbol_cache *cache, const struct opened_file *opened);

/* Lets a file be read while events go on: reading it returned -EAGAIN, or it has to wait. */
void symbol_cache__add_late(struct symbol_cache *cache, struct symbol_table *table,
			    const struct opened_file *opened, enum late_part part);

/* Begins a call, and drops tables beyond the limit. */
void symbol_cache__trim(struct symbol_cache *cache);

/* For file_reader.make_room: drops tables that this call has not used. */
int symbol_cache__make_room(void *cache, uint64_t bytes, bool is_of_root);

/* For mapped_files.release. */
void symbol_cache__release(struct mapped_file *file, void *cache);

/* The segment with an offset of the file; NULL: none. */
const struct elf_load *symbol_table__find_load(const struct symbol_table *table, uint64_t offset);

/* The address in the file of an offset.  False: no segment has that offset. */
bool symbol_table__find_vaddr(const struct symbol_table *table, uint64_t offset, uint64_t *vaddr);

/* The symbol at an offset of the file; NULL: none.  `vaddr` is the address in the file. */
struct elf_symbol *symbol_table__find(const struct symbol_table *table, uint64_t offset,
				      uint64_t *vaddr);

const char *symbol_cache__name(struct symbol_cache *cache, struct symbol_table *table,
			       struct elf_symbol *symbol);

void symbol_cache__free(struct symbol_cache *cache);

#endif /* PEAT_SYMBOLS_FILES_SYMBOL_CACHE_H */
