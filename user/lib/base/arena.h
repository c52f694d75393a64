/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/arena.h: memory that is taken in pieces, never moves, and is freed as a whole. */
#ifndef PEAT_BASE_ARENA_H
#define PEAT_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* In a block, aligned pieces are taken from the front, strings from the back. */
struct arena {
	struct arena_block *newest;
	size_t front, back; /* between them, the newest block is free */
	size_t bytes;	    /* of memory */
};

/* Memory for `bytes` bytes, aligned to 8, not zeroed.  NULL: no memory. */
void *arena__take(struct arena *arena, size_t bytes);

/* The same, not aligned. */
char *arena__text(struct arena *arena, size_t bytes);

/* A copy of `bytes` bytes, with a NUL after them.  NULL: no memory. */
char *arena__copy(struct arena *arena, const char *text, size_t bytes);

void arena__free(struct arena *arena); /* all zero: nothing */

#endif /* PEAT_BASE_ARENA_H */
