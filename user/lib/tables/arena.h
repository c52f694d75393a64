/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/arena.h: memory that is allocated in pieces, and freed as a whole. */
#ifndef PEAT_TABLES_ARENA_H
#define PEAT_TABLES_ARENA_H

#include <stddef.h>

struct arena_block;

struct table_arena {
	struct arena_block *blocks; /* the newest first */
	size_t used;		    /* bytes of the newest */
};

/* Memory for `bytes` bytes, 8-byte aligned, not zeroed.  It never moves.  NULL: no memory. */
void *table_arena__allocate(struct table_arena *arena, size_t bytes);

void table_arena__free(struct table_arena *arena); /* all zero: nothing */

#endif /* PEAT_TABLES_ARENA_H */
