/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/namer_memory.h: bytes that a namer made, and that nobody can change.
 *
 * Many bytes stay in the memory file, which is mapped: a copy would need the memory twice.  Few are
 * copied, since a process may have 65,530 mappings.
 */
#ifndef PEAT_SYMBOLS_ELF_NAMER_MEMORY_H
#define PEAT_SYMBOLS_ELF_NAMER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct namer_memory {
	void *at; /* NULL: none */
	size_t bytes;
	bool is_mapped; /* else from malloc() */
};

/* Copies few bytes of a mapping, which ends then.  Without memory they stay. */
void namer_memory__settle(struct namer_memory *memory);

void namer_memory__free(struct namer_memory *memory); /* all zero: nothing */

#endif /* PEAT_SYMBOLS_ELF_NAMER_MEMORY_H */
