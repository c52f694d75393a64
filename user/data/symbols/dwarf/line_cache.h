/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/line_cache.h: source lines of the addresses of a file, that a namer has found.
 * Names of files and functions are stored once.
 */
#ifndef PEAT_SYMBOLS_DWARF_LINE_CACHE_H
#define PEAT_SYMBOLS_DWARF_LINE_CACHE_H

#include "symbols/dwarf/source_lines.h"
#include "tables/hash.h"

struct line_cache {
	struct table_hash addresses; /* of symbols/dwarf/line_cache.c */
	struct table_hash texts;
	struct arena frames;
	size_t bytes; /* of memory */
	bool no_demangle;
};

void line_cache__init(struct line_cache *cache, bool no_demangle);

/*
 * The frames of an address as source_lines__find() returns them, valid as long as the cache. False:
 * the address was not added.
 */
bool line_cache__find(const struct line_cache *cache, uint64_t vaddr,
		      const struct source_frame **frames, int *count);

/*
 * Adds an address.  Texts are copied, and names demangled; `name` of a frame is ignored.  An
 * address that is there keeps its frames.  0 or -ENOMEM.
 */
int line_cache__add(struct line_cache *cache, uint64_t vaddr, const struct source_frame *frames,
		    uint32_t count);

void line_cache__free(struct line_cache *cache);

#endif /* PEAT_SYMBOLS_DWARF_LINE_CACHE_H */
