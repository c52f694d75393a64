// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/namer_memory.c: bytes that a namer made, and that nobody can change. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "symbols/elf/namer_memory.h"

#define COPIED_BYTES (256u << 10)

void namer_memory__settle(struct namer_memory *memory)
{
	void *copy;

	if (!memory->is_mapped || memory->bytes >= COPIED_BYTES)
		return;
	copy = malloc(memory->bytes);
	if (!copy)
		return;
	memcpy(copy, memory->at, memory->bytes);
	munmap(memory->at, memory->bytes);
	memory->at = copy;
	memory->is_mapped = false;
}

void namer_memory__free(struct namer_memory *memory)
{
	if (memory->is_mapped)
		munmap(memory->at, memory->bytes);
	else
		free(memory->at);
	*memory = (struct namer_memory){ 0 };
}
