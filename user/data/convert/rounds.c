// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/rounds.c: makes rounds as short as the order of the records allows. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "convert/rounds.h"

/* ROUNDS_CHUNK_RECORDS records. */
struct round_chunk {
	/* Times in the chunk; after rounds__choose(): before the chunk, and from the chunk on. */
	uint64_t newest_ns, oldest_ns;
	bool is_marked; /* a FINISHED_ROUND precedes it */
};

static int add_round_chunk(struct rounds *rounds)
{
	if (!ARRAY_RESERVE(rounds->chunks, rounds->count, rounds->room))
		return -ENOMEM;
	rounds->chunks[rounds->count++] = (struct round_chunk){ .oldest_ns = UINT64_MAX };
	return 0;
}

int rounds__add(struct rounds *rounds, uint64_t time_ns)
{
	struct round_chunk *chunk;

	if (rounds->added % ROUNDS_CHUNK_RECORDS == 0 && add_round_chunk(rounds))
		return -ENOMEM;
	rounds->added++;
	chunk = &rounds->chunks[rounds->count - 1];
	if (time_ns > chunk->newest_ns)
		chunk->newest_ns = time_ns;
	if (time_ns < chunk->oldest_ns)
		chunk->oldest_ns = time_ns;
	return 0;
}

void rounds__choose(struct rounds *rounds)
{
	uint64_t newest_ns = 0, oldest_ns = UINT64_MAX;
	size_t last = 0;

	for (size_t i = 0; i < rounds->count; i++) {
		uint64_t of_chunk_ns = rounds->chunks[i].newest_ns;

		rounds->chunks[i].newest_ns = newest_ns;
		newest_ns = of_chunk_ns > newest_ns ? of_chunk_ns : newest_ns;
	}
	for (size_t i = rounds->count; i-- > 0;) {
		if (rounds->chunks[i].oldest_ns < oldest_ns)
			oldest_ns = rounds->chunks[i].oldest_ns;
		rounds->chunks[i].oldest_ns = oldest_ns;
	}
	for (size_t i = 1; i < rounds->count; i++) {
		if (rounds->chunks[i].oldest_ns < rounds->chunks[last].newest_ns)
			continue;
		rounds->chunks[i].is_marked = true;
		last = i;
	}
}

bool rounds__next(struct rounds *rounds)
{
	uint64_t at = rounds->passed++;

	return at % ROUNDS_CHUNK_RECORDS == 0 && at / ROUNDS_CHUNK_RECORDS < rounds->count &&
	       rounds->chunks[at / ROUNDS_CHUNK_RECORDS].is_marked;
}

void rounds__free(struct rounds *rounds)
{
	free(rounds->chunks);
	*rounds = (struct rounds){ 0 };
}
