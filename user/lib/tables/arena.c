// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/arena.c: memory that is allocated in pieces, and freed as a whole. */
#include <stdint.h>
#include <stdlib.h>

#include "tables/arena.h"

#define BLOCK_LEAST ((size_t)4 << 10)
#define BLOCK_MOST  ((size_t)256 << 10) /* unless a piece is larger */

struct arena_block {
	struct arena_block *next;
	size_t room;
	uint64_t bytes[];
};

/* Blocks double, so that a small table needs little memory, and a large one few blocks. */
static size_t next_room(const struct table_arena *arena, size_t bytes)
{
	size_t room = arena->blocks ? 2 * arena->blocks->room : BLOCK_LEAST;

	if (room > BLOCK_MOST)
		room = BLOCK_MOST;
	return room < bytes ? bytes : room;
}

static struct arena_block *add_block(struct table_arena *arena, size_t bytes)
{
	size_t room = next_room(arena, bytes);
	struct arena_block *block = malloc(sizeof(*block) + room);

	if (!block)
		return NULL;
	block->room = room;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->used = 0;
	return block;
}

void *table_arena__allocate(struct table_arena *arena, size_t bytes)
{
	struct arena_block *block = arena->blocks;
	size_t at;

	bytes = (bytes + 7) & ~(size_t)7;
	if ((!block || block->room - arena->used < bytes) && !(block = add_block(arena, bytes)))
		return NULL;
	at = arena->used;
	arena->used += bytes;
	return (char *)block->bytes + at;
}

void table_arena__free(struct table_arena *arena)
{
	while (arena->blocks) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	arena->used = 0;
}
