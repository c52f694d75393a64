/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/arena.h: strings that never move, freed together. */
#ifndef PEAT_SYMBOLS_ELF_ARENA_H
#define PEAT_SYMBOLS_ELF_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *newest;
	size_t left;  /* bytes in the newest block */
	size_t bytes; /* of memory */
};

/* Memory of that size, not aligned.  NULL: no memory. */
char *arena__take(struct arena *arena, size_t bytes);

/* A copy of `bytes` bytes, with a NUL after them.  NULL: no memory. */
char *arena__copy(struct arena *arena, const char *text, size_t bytes);

void arena__free(struct arena *arena); /* all zero is allowed */

#endif /* PEAT_SYMBOLS_ELF_ARENA_H */
