/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/files/found_symbols.h: the symbols that were found last, by offset in the file.  Stacks
 * have the same addresses again and again, and a search in a large table misses the CPU's caches.
 */
#ifndef PEAT_SYMBOLS_FILES_FOUND_SYMBOLS_H
#define PEAT_SYMBOLS_FILES_FOUND_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbol_table;
struct elf_symbol;

struct found_symbol {
	const struct symbol_table *table; /* NULL: an empty slot */
	uint64_t offset;		  /* in the file */
	bool is_return;
	struct elf_symbol *symbol; /* NULL: the table has none there */
	uint64_t vaddr;		   /* of the offset */
};

/* All zero: empty. */
struct found_symbols {
	struct found_symbol *slots;
};

/*
 * The slot of an offset, which has it if found_symbol__is() says so, and otherwise may be
 * overwritten.  NULL: no memory.
 */
struct found_symbol *found_symbols__slot(struct found_symbols *found,
					 const struct symbol_table *table, uint64_t offset,
					 bool is_return);

static inline bool found_symbol__is(const struct found_symbol *slot,
				    const struct symbol_table *table, uint64_t offset,
				    bool is_return)
{
	return slot->table == table && slot->offset == offset && slot->is_return == is_return;
}

/* Forgets everything, because a table is freed. */
void found_symbols__clear(struct found_symbols *found);

#endif /* PEAT_SYMBOLS_FILES_FOUND_SYMBOLS_H */
