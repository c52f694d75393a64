// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_turns.c: whose turn it is among the files of a directory. */
#include <errno.h>
#include <stdlib.h>

#include "perf_turns.h"

struct perf_turn {
	uint64_t newest_ns;
	uint32_t stream;
};

int perf_turns__init(struct perf_turns *turns, struct perf_file *file)
{
	uint32_t count = perf_file__streams(file);

	*turns = (struct perf_turns){ .file = file };
	turns->of = calloc(count, sizeof(*turns->of));
	if (!turns->of)
		return -ENOMEM;
	turns->count = count;
	for (uint32_t i = 0; i < count; i++)
		turns->of[i].stream = i;
	return 0;
}

void perf_turns__free(struct perf_turns *turns)
{
	free(turns->of);
	*turns = (struct perf_turns){ 0 };
}

/* The first has come further, or is another one: it goes where it belongs. */
static void pass(struct perf_turns *turns)
{
	struct perf_turn *of = turns->of, moved = of[0];
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < turns->count) {
		if (child + 1 < turns->count && of[child + 1].newest_ns < of[child].newest_ns)
			child++;
		if (moved.newest_ns <= of[child].newest_ns)
			break;
		of[at] = of[child];
		at = child;
	}
	of[at] = moved;
	turns->reached_ns = of[0].newest_ns;
}

int perf_turns__next(struct perf_turns *turns, struct perf_entry *entry)
{
	int ret = 0;

	while (!ret && turns->count) {
		ret = perf_file__next_of(turns->file, turns->of[0].stream, entry);
		if (ret)
			break;
		turns->of[0] = turns->of[--turns->count];
		if (turns->count)
			pass(turns);
	}
	return ret;
}

void perf_turns__came_to(struct perf_turns *turns, uint64_t time_ns)
{
	if (time_ns <= turns->of[0].newest_ns)
		return;
	turns->of[0].newest_ns = time_ns;
	pass(turns);
}
