// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/arena.c: strings that never move, freed together. */
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/arena.h"

#define BLOCK_BYTES 16384

struct arena_block {
	struct arena_block *older;
	char bytes[];
};

/* `left` counts from the end of the newest block, whose size is at least BLOCK_BYTES. */
char *arena__take(struct arena *arena, size_t bytes)
{
	size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct arena_block *block;

	if (bytes <= arena->left) {
		arena->left -= bytes;
		return arena->newest->bytes + arena->left;
	}
	block = malloc(sizeof(*block) + room);
	if (!block)
		return NULL;
	block->older = arena->newest;
	arena->newest = block;
	arena->left = room - bytes;
	arena->bytes += sizeof(*block) + room;
	return block->bytes + arena->left;
}

char *arena__copy(struct arena *arena, const char *text, size_t bytes)
{
	char *copy = arena__take(arena, bytes + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, bytes);
	copy[bytes] = 0;
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
