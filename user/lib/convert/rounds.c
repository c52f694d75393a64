// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* round_marks.c: rounds as short as the records' order allows. */
#include <errno.h>
#include <stdlib.h>

#include "convert/rounds.h"

/* ROUND_MARKS_EACH records. */
struct round_chunk {
	uint64_t newest_ns, oldest_ns; /* among them; once chosen, before it, and from it on */
	bool is_marked;		       /* in front */
};

static int add_chunk(struct round_marks *marks)
{
	if (marks->count == marks->room) {
		size_t room = marks->room ? 2 * marks->room : 16;
		struct round_chunk *chunks = reallocarray(marks->chunks, room, sizeof(*chunks));

		if (!chunks)
			return -ENOMEM;
		marks->chunks = chunks;
		marks->room = room;
	}
	marks->chunks[marks->count++] = (struct round_chunk){ .oldest_ns = UINT64_MAX };
	return 0;
}

int round_marks__see(struct round_marks *marks, uint64_t time_ns)
{
	struct round_chunk *chunk;

	if (marks->seen % ROUND_MARKS_EACH == 0 && add_chunk(marks))
		return -ENOMEM;
	marks->seen++;
	chunk = &marks->chunks[marks->count - 1];
	if (time_ns > chunk->newest_ns)
		chunk->newest_ns = time_ns;
	if (time_ns < chunk->oldest_ns)
		chunk->oldest_ns = time_ns;
	return 0;
}

void round_marks__choose(struct round_marks *marks)
{
	uint64_t newest_ns = 0, oldest_ns = UINT64_MAX;
	size_t last = 0;

	for (size_t i = 0; i < marks->count; i++) {
		uint64_t of_chunk_ns = marks->chunks[i].newest_ns;

		marks->chunks[i].newest_ns = newest_ns;
		newest_ns = of_chunk_ns > newest_ns ? of_chunk_ns : newest_ns;
	}
	for (size_t i = marks->count; i-- > 0;) {
		if (marks->chunks[i].oldest_ns < oldest_ns)
			oldest_ns = marks->chunks[i].oldest_ns;
		marks->chunks[i].oldest_ns = oldest_ns;
	}
	for (size_t i = 1; i < marks->count; i++) {
		if (marks->chunks[i].oldest_ns < marks->chunks[last].newest_ns)
			continue;
		marks->chunks[i].is_marked = true;
		last = i;
	}
}

bool round_marks__next(struct round_marks *marks)
{
	uint64_t at = marks->passed++;

	return at % ROUND_MARKS_EACH == 0 && at / ROUND_MARKS_EACH < marks->count &&
	       marks->chunks[at / ROUND_MARKS_EACH].is_marked;
}

void round_marks__free(struct round_marks *marks)
{
	free(marks->chunks);
	*marks = (struct round_marks){ 0 };
}
