// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/arena.c: memory that is taken in pieces, and freed as a whole. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define BLOCK_LEAST ((size_t)4 << 10)
#define BLOCK_MOST  ((size_t)256 << 10) /* unless a piece is larger */

struct arena_block {
	struct arena_block *older;
	size_t room;
	uint64_t bytes[];
};

/* Blocks double, so that a small table needs little memory, and a large one few blocks. */
static size_t next_room(const struct arena *arena, size_t bytes)
{
	size_t room = arena->newest ? 2 * arena->newest->room : BLOCK_LEAST;

	if (room > BLOCK_MOST)
		room = BLOCK_MOST;
	return room < bytes ? bytes : room;
}

static bool make_arena_room(struct arena *arena, size_t bytes)
{
	struct arena_block *block;
	size_t room;

	if (arena->newest && bytes <= arena->back - arena->front)
		return true;
	room = next_room(arena, (bytes + 7) & ~(size_t)7);
	block = malloc(sizeof(*block) + room);
	if (!block)
		return false;
	*block = (struct arena_block){ .older = arena->newest, .room = room };
	arena->newest = block;
	arena->front = 0;
	arena->back = room;
	arena->bytes += sizeof(*block) + room;
	return true;
}

/* The front is a multiple of 8. */
void *arena__take(struct arena *arena, size_t bytes)
{
	char *taken;

	bytes = (bytes + 7) & ~(size_t)7;
	if (!make_arena_room(arena, bytes))
		return NULL;
	taken = (char *)arena->newest->bytes + arena->front;
	arena->front += bytes;
	return taken;
}

char *arena__text(struct arena *arena, size_t bytes)
{
	if (!make_arena_room(arena, bytes))
		return NULL;
	arena->back -= bytes;
	return (char *)arena->newest->bytes + arena->back;
}

char *arena__copy(struct arena *arena, const char *text, size_t bytes)
{
	char *copy = arena__text(arena, bytes + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return copy;
}

void arena__free(struct arena *arena)
{
	while (arena->newest) {
		struct arena_block *block = arena->newest;

		arena->newest = block->older;
		free(block);
	}
	*arena = (struct arena){ 0 };
}
