// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/found_symbols.c: the symbols that were found last, by offset in the file. */
#include <stdlib.h>

#include "symbols/files/found_symbols.h"

#define SLOTS 8192u /* 320 KiB; a power of two */

struct found_symbol *found_symbols__slot(struct found_symbols *found,
					 const struct symbol_table *table, uint64_t offset,
					 bool is_return)
{
	uint64_t hash = ((uint64_t)(uintptr_t)table >> 4) + (offset << 1 | is_return);

	if (!found->slots)
		found->slots = calloc(SLOTS, sizeof(*found->slots));
	if (!found->slots)
		return NULL;
	hash *= 0x9e3779b97f4a7c15;
	return &found->slots[(hash >> 32) & (SLOTS - 1)];
}

void found_symbols__clear(struct found_symbols *found)
{
	free(found->slots);
	found->slots = NULL;
}
